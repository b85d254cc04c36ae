import { beforeAll, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { archiveOf } from '../../../../test/support/archives.ts'
import { oneRoster, rosterFolder } from '../../../../test/support/rosters.ts'
import { importRoster } from './import.ts'
import { changesNothing } from './report.ts'

describeApp('a roster of OneRoster 1.2', (app) => {
  const rosters = rosterFolder()
  let organization: string
  let ada: Person

  beforeAll(async () => {
    organization = await app.organization()
    ada = await app.person('ada', { organization, role: 'admin' })
  })

  const run = (path: string, isDryRun = false) =>
    importRoster(app.ctx, { path, organization, isDryRun, state: 'active', onProgress() {} })
  const refusal = async (path: string): Promise<string> =>
    run(path).then(
      () => 'nothing',
      (error) => error.message,
    )
  /** Replaces the lines of some files. A file without lines is left out. */
  const writeChanged = async (change: Partial<Record<keyof typeof oneRoster, readonly string[]>>) => {
    const files = Object.entries({ ...oneRoster, ...change }).filter(([, lines]) => lines.length > 0)
    return rosters.folder(Object.fromEntries(files))
  }
  const classes = () =>
    app.ctx.db.read.selectFrom('classes').selectAll().where('organization_id', '=', organization).execute()

  it('imports members with roles, classes and memberships, with the ids of the school', async () => {
    const path = await rosters.folder(oneRoster)
    const planned = await run(path, true)
    expect(await run(path)).toEqual(planned)
    // Pat is a parent, and Dan is disabled.
    expect(planned.people).toMatchObject({ created: 4, skipped: 2 })
    expect(planned.memberships.created).toBe(3)
    const { body } = await ada.get('/organizations/users?sort=username')
    const facts = body.map(({ username, name, organizationRole: role }: Record<string, string>) => [
      username,
      name,
      role,
    ])
    expect(facts).toEqual([
      ['ada', undefined, 'admin'],
      ['or.sam', 'Sam Student', 'user'],
      ['or.sol', 'Sol, y Student "S"', 'user'],
      ['or.tess', 'Tess Teacher', 'teacher'],
      ['or.theo', 'Theo Teacher', 'teacher'],
    ])
    const [winds, ...others] = await classes()
    expect(others).toEqual([])
    expect(winds).toMatchObject({ name: 'Winds', external_id: 'c1', state: 'active' })
    // The primary teacher owns the class.
    const tess = body.find(({ username }: { username: string }) => username === 'or.tess')
    expect(winds?.owner_id).toBe(tess.id)
    const { body: schoolClass } = await ada.get(`/classes/${winds?.id}`)
    // The enrollment of Sol has ended.
    expect([schoolClass.teachersGroup.usersCount, schoolClass.studentsGroup.usersCount]).toEqual([2, 1])
    expect(changesNothing(await run(path))).toBe(true)
  })

  it('reads an archive, with or without a folder in it', async () => {
    for (const prefix of ['', 'export/']) {
      const entries = Object.entries(oneRoster).map(([name, lines]) => [prefix + name, lines.join('\r\n')])
      const path = await rosters.bytes(await archiveOf(Object.fromEntries(entries)), 'roster.zip')
      const report = await run(path)
      expect([changesNothing(report), report.people.unchanged]).toEqual([true, 4])
    }
  })

  it('renames a class and a member by their ids', async () => {
    const report = await run(
      await writeChanged({
        'users.csv': oneRoster['users.csv'].map((line) => line.replace('or.sam', 'or.samuel')),
        'classes.csv': oneRoster['classes.csv'].map((line) => line.replace('Winds', 'Wind band')),
      }),
    )
    expect([
      report.people.changed,
      report.people.created,
      report.classes.changed,
      report.classes.created,
    ]).toEqual([1, 0, 1, 0])
    expect((await classes()).map(({ name }) => name)).toEqual(['Wind band'])
  })

  it('imports users without classes', async () => {
    const manifest = oneRoster['manifest.csv'].map((line) =>
      line.replace(/(classes|enrollments),bulk/, '$1,absent'),
    )
    const path = await writeChanged({ 'manifest.csv': manifest, 'classes.csv': [], 'enrollments.csv': [] })
    expect((await run(path)).classes).toMatchObject({ created: 0, changed: 0, unchanged: 0 })
  })

  const line = (file: keyof typeof oneRoster, line: string) => ({ [file]: [...oneRoster[file], line] })
  const manifest = (from: string, to: string) => ({
    'manifest.csv': oneRoster['manifest.csv'].map((line) => line.replace(from, to)),
  })

  it.each([
    [
      manifest('version,1.2', 'version,1.1'),
      'manifest.csv, line 3, oneroster.version: is “1.1”; only OneRoster 1.2 is read',
    ],
    [
      manifest('users,bulk', 'users,delta'),
      'manifest.csv, line 5, file.users: is “delta”, but only “bulk” files are supported',
    ],
    [manifest('roles,bulk', 'roles,absent'), 'file.roles: is missing; users and roles are required'],
    [{ 'manifest.csv': [] }, 'There is no manifest.csv'],
    [{ 'roles.csv': [] }, 'There is no roles.csv, but manifest.csv lists it'],
    [{ 'classes.csv': ['sourcedId,name', 'c1,Winds'] }, 'classes.csv, line 1, title: the column is missing'],
    [line('users.csv', 'u3,,,true,or.x,,X,X,,,'), 'users.csv, line 8, sourcedId: is already in line 4'],
    [line('users.csv', 'u9,,,true,OR.sam,,X,X,,,'), 'users.csv, line 8, username: is already in line 4'],
    [line('users.csv', 'u9,,,true,,,X,X,,,'), 'users.csv, line 8, username: is missing'],
    [line('users.csv', 'u9,tobedeleted,,true,or.x,,X,X,,,'), 'users.csv, line 8, status: is “tobedeleted”'],
    [
      line('users.csv', `u9,,,true,or.x,,${'x'.repeat(61)},X,,,`),
      'users.csv, line 8, givenName: must have 0 to 60',
    ],
    [
      line('roles.csv', 'r9,,,u99,primary,student,,,o1,'),
      'roles.csv, line 10, userSourcedId: is “u99”, but users.csv has no such user',
    ],
    [line('classes.csv', 'c1,,,Other,,x,,,,o1'), 'classes.csv, line 3, sourcedId: is already in line 2'],
    [
      line('enrollments.csv', 'e9,,,c9,o1,u1,teacher,,,'),
      'enrollments.csv, line 7, classSourcedId: is “c9”, which is not in',
    ],
    [
      line('enrollments.csv', 'e9,,,c1,o1,u99,student,,,'),
      'enrollments.csv, line 7, userSourcedId: is “u99”, but users.csv has no such user',
    ],
  ])('reports errors: %#', async (change, problem) => {
    expect(await refusal(await writeChanged(change))).toContain(problem)
  })

  it('reports a broken archive', async () => {
    expect(await refusal(await rosters.bytes('PK nonsense', 'roster.zip'))).toContain(
      'roster.zip is not a .zip archive',
    )
  })
})
