import { verify } from '@node-rs/argon2'
import { beforeAll, describe, expect, it } from 'vitest'
import { describeApp, type Person } from '../../../../test/support/app.ts'
import { auditOf } from '../../../../test/support/audit.ts'
import { clientOf } from '../../../../test/support/client.ts'
import { createPersonalToken } from '../../../../test/support/personal-tokens.ts'
import { allScopes } from '../../../contract/scopes.ts'
import { limit } from '../../../../test/support/organizations.ts'
import { rosterFolder } from '../../../../test/support/rosters.ts'
import { emptyPiano } from '../../../../test/support/scores.ts'
import type { Context } from '../../../context.ts'
import { importRoster, type RosterImport } from './import.ts'
import { changesNothing, describeReport } from './report.ts'

describeApp('a roster in one table', (app) => {
  const rosters = rosterFolder()
  let organization: string
  let ada: Person
  /** Each test uses names of its own. */
  let n = 0

  beforeAll(async () => {
    organization = await app.organization()
    ada = await app.person('ada', { organization, role: 'admin' })
  })

  const run = async (path: string, options: Partial<RosterImport> = {}, ctx: Context = app.ctx) =>
    importRoster(ctx, { path, organization, isDryRun: false, state: 'active', onProgress() {}, ...options })
  const find = async (q: string) => (await ada.get(`/organizations/users?q=${q}&limit=1000`)).body
  const row = (username: string) =>
    app.ctx.db.read.selectFrom('users').selectAll().where('username', '=', username).executeTakeFirstOrThrow()
  const classNamed = (name: string) =>
    app.ctx.db.read.selectFrom('classes').selectAll().where('name', '=', name).executeTakeFirstOrThrow()
  const membersOf = async (name: string) => {
    const { id } = await classNamed(name)
    const { body } = await ada.get(`/classes/${id}`)
    const list = async (group: string) =>
      (await ada.get(`/groups/${group}/users`)).body.map(({ username }: { username: string }) => username)
    return { teachers: await list(body.teachersGroup.id), students: await list(body.studentsGroup.id) }
  }
  const refusal = async (path: string, options: Partial<RosterImport> = {}): Promise<string> =>
    run(path, options).then(
      () => 'nothing',
      (error) => error.message,
    )

  it('places members so that teachers can set passwords, even if a teacher placed them before', async () => {
    const path = await rosters.file('username,role,class', 'rosa,teacher,Horns', 'rolf,student,Horns')
    await run(path)
    const token = await createPersonalToken(app.ctx, (await row('rosa')).id, 'Test', allScopes)
    const rosa = clientOf(app.url, token)
    const { id } = await row('rolf')
    const reset = async () =>
      (await rosa.put(`/organizations/users/${id}`, { password: 'battery staple' })).body.code
    expect(await reset()).toBe(undefined)
    const { id: horns } = await classNamed('Horns')
    await rosa.delete(`/classes/${horns}/users/${id}`)
    await rosa.put(`/classes/${horns}/users/${id}`)
    expect(await reset()).toBe('STUDENT_PLACED_BY_TEACHER')
    expect((await run(path)).memberships).toMatchObject({ created: 0, changed: 1, unchanged: 1 })
    expect(await reset()).toBe(undefined)
  })

  it('creates members, classes and groups, and nothing when it runs again', async () => {
    const path = await rosters.file(
      'username,email,firstname,lastname,role,class,group,id',
      'tina,tina@school.example,Tina,Teacher,teacher,Winds,,T1',
      'sami,,Sami,"Student, S.",student,Winds,Flutes,S1',
      'sami,,,,,Choir,,S1',
      'sofi,,Sofi,,,Winds,,S2',
    )
    const planned = await run(path, { isDryRun: true })
    expect(await find('tina')).toEqual([])
    const report = await run(path)
    expect(report).toEqual(planned)
    expect([
      report.people.created,
      report.classes.created,
      report.groups.created,
      report.memberships.created,
    ]).toEqual([3, 2, 1, 5])
    const [tina] = await find('tina')
    expect(tina).toMatchObject({
      organizationRole: 'teacher',
      email: 'tina@school.example',
      lastname: 'Teacher',
    })
    expect((await find('sami'))[0]).toMatchObject({ organizationRole: 'user', lastname: 'Student, S.' })
    expect(await membersOf('Winds')).toEqual({ teachers: ['tina'], students: ['sofi', 'sami'] })
    // An administrator owns a class without a teacher.
    expect(await membersOf('Choir')).toEqual({ teachers: ['ada'], students: ['sami'] })
    const { id, owner_id } = await classNamed('Winds')
    expect(owner_id).toBe(tina.id)
    const { body: groups } = await ada.get(`/groups?type=classStudentsSubGroup&classroom=${id}`)
    expect(
      groups.map(({ name, usersCount }: { name: string; usersCount: number }) => [name, usersCount]),
    ).toEqual([['Flutes', 1]])
    const again = await run(path)
    expect(changesNothing(again)).toBe(true)
    expect([again.people.unchanged, again.classes.unchanged, again.memberships.unchanged]).toEqual([3, 2, 5])
    expect(describeReport(again, { isDryRun: false })).toMatch(/^Nothing to change/)
  })

  it('records each change and the whole import in the audit log', async () => {
    const path = await rosters.file('username,role', 'abby,teacher')
    await run(path)
    const event = { organization, actor: null }
    const { id } = await row('abby')
    expect(await auditOf(app, id)).toEqual([
      { ...event, action: 'user.created', details: { username: 'abby', role: 'teacher', by: 'roster' } },
    ])
    const usersQuery = app.ctx.db.read
      .selectFrom('audit_events')
      .selectAll()
      .where('action', '=', 'roster.imported')
    const before = (await usersQuery.execute()).length
    await run(path)
    expect(await usersQuery.execute()).toHaveLength(before)
  })

  it('finds a member by id under another name, and changes only what the roster says', async () => {
    const first = ['id,username,firstname,lastname,email', 'P1,paul,Paul,Old,paul@school.example']
    await run(await rosters.file(...first))
    const { id } = await row('paul')
    const report = await run(await rosters.file('id,username,lastname,email', 'P1,paula,New,'))
    expect(report.people).toMatchObject({ created: 0, changed: 1, unchanged: 0 })
    expect(report.people.listed.changed[0]).toContain('username, lastname')
    const expected = {
      id,
      firstname: 'Paul',
      lastname: 'New',
      email: 'paul@school.example',
      email_vouched: 1,
    }
    expect(await row('paula')).toMatchObject({ ...expected, external_id: 'P1' })
  })

  it('stores the id of an existing member with the same username', async () => {
    const { id } = await app.person('quinn', { organization })
    await run(await rosters.file('id,username', 'Q1,Quinn'))
    expect(await row('Quinn')).toMatchObject({ id, external_id: 'Q1' })
    const other = await rosters.file('id,username', 'Q2,quinn')
    expect(await refusal(other)).toContain('line 2, username: is taken by the member whose id is “Q1”')
  })

  it('moves members whose role changes in all classes, and does not change administrators', async () => {
    const head = 'username,role,class'
    await run(await rosters.file(head, 'tom,teacher,Brass', 'sid,student,Brass', 'head,admin,Brass'))
    const toms = await app.ctx.db.read.selectFrom('access_tokens').selectAll().execute()
    expect(toms.length).toBeGreaterThan(0)
    await run(await rosters.file(head, 'tom,student,Brass', 'sid,teacher,Brass', 'head,student,Brass'))
    expect(await membersOf('Brass')).toEqual({ teachers: ['head', 'sid'], students: ['tom'] })
    expect((await row('head')).organization_role).toBe('admin')
    const { id } = await row('tom')
    expect((await auditOf(app, id)).map(({ action }) => action)).toEqual([
      'user.created',
      'user.updated',
      'user.role-changed',
    ])
  })

  it('renames a class with an id, and its groups', async () => {
    const head = 'username,class,classid'
    await run(await rosters.file(head, 'rita,Band A,B1'))
    const { id } = await classNamed('Band A')
    const report = await run(await rosters.file(head, 'rita,Band B,B1'))
    expect(report.classes).toMatchObject({ changed: 1, created: 0, listed: { changed: ['Band A → Band B'] } })
    expect(await classNamed('Band B')).toMatchObject({ id, external_id: 'B1' })
    expect((await ada.get(`/classes/${id}`)).body.studentsGroup.name).toBe('Band B')
  })

  it('creates inactive classes on request', async () => {
    await run(await rosters.file('username,class', 'ines,Later'), { state: 'inactive' })
    expect((await classNamed('Later')).state).toBe('inactive')
  })

  it('vouches for addresses, and gives members what was shared with them', async () => {
    const tess = await app.person('tess', { organization, role: 'teacher' })
    const { id } = (await tess.post('/scores', emptyPiano())).body
    await tess.post(`/scores/${id}/collaborators`, { userEmail: 'iris@school.example', aclWrite: true })
    await app.person('iris', { organization, email: 'other@school.example' })
    await run(await rosters.file('username,email', 'iris,iris@school.example', 'ivo,ivo@school.example'))
    const { body } = await tess.get(`/scores/${id}`)
    expect(body.collaborators.map(({ user }: { user: { username: string } }) => user?.username)).toEqual([
      'tess',
      'iris',
    ])
  })

  it('sets passwords of new members only, and none if the roster has none', async () => {
    const path = await rosters.file('username,password', 'pwen,secret one', 'puck,')
    await run(path)
    expect(await verify((await row('pwen')).password_hash, 'secret one')).toBe(true)
    expect((await row('puck')).password_hash).toBe('')
    await run(await rosters.file('username,password,lastname', 'pwen,secret1,New'))
    expect(await verify((await row('pwen')).password_hash, 'secret one')).toBe(true)
    // A teacher or an administrator sets one later, or creates a sign-in link.
    const { id } = await row('puck')
    expect((await ada.put(`/organizations/users/${id}`, { password: 'secret three' })).status).toBe(200)
    expect((await ada.post(`/organizations/users/${id}/signinLink`, {})).status).toBe(200)
  })

  it('does not change removed members and archived classes', async () => {
    const path = await rosters.file(
      'username,class,classid,group',
      'gus,Old times,O1,',
      'gia,Old times,O1,Duo',
    )
    await run(path)
    const { id } = await classNamed('Old times')
    await ada.post(`/classes/${id}/archive`)
    await ada.delete(`/organizations/users/${(await row('gus')).id}`)
    const report = await run(path)
    expect([report.people.removed, report.classes.archived, changesNothing(report)]).toEqual([1, 1, true])
    const text = describeReport(report, { isDryRun: true })
    expect(text).toContain('gus (people.csv, line 2)')
    expect(text).toContain('Old times')
    const more = await rosters.file('username,class,classid', 'gus,Old times,O1', 'gil,Old times,O1')
    expect(await run(more)).toMatchObject({ people: { created: 1, removed: 1 }, memberships: { created: 0 } })
    expect((await membersOf('Old times')).students).toEqual(['gia'])
  })

  it('creates a class with the name of an archived one', async () => {
    const path = await rosters.file('username,class', 'gwen,Year after year')
    await run(path)
    const { id } = await classNamed('Year after year')
    await ada.post(`/classes/${id}/archive`)
    expect((await run(path)).classes.created).toBe(1)
    expect(changesNothing(await run(path))).toBe(true)
  })

  it.each([
    ['semicolons and a byte order mark', '\ufeffUser name;E-Mail;First name\r\n§;§@school.example;"A;B"\r\n'],
    ['tabs', 'username\temail\tfirst_name\n§\t§@school.example\tA;B\n'],
    ['old line ends', 'username,email,firstname\r§,§@school.example,A;B\r'],
    ['empty lines', 'username,email,firstname\n\n,,\n§,§@school.example,A;B\n,,\n\n'],
    [
      'spaces around cells, and unknown columns',
      'username , shoe size,email,firstname\n § ,44,§@school.example, A;B',
    ],
  ])('reads a table with %s', async (_title, text) => {
    const name = `csv${++n}`
    await run(await rosters.bytes(text.replaceAll('§', name), 'people.csv'))
    expect(await row(name)).toMatchObject({ email: `${name}@school.example`, firstname: 'A;B' })
  })

  describe('with errors', () => {
    it.each([
      ['two words,,student,,', 'username: must be a name without spaces'],
      ['me,,student,,', 'username: may not be "me"'],
      [',,student,,', 'username: is missing'],
      [`${'x'.repeat(31)},,student,,`, 'username: must have 1 to 30 characters'],
      ['wendy,nowhere,student,,', 'email: is not an e-mail address'],
      ['wendy,,boss,,', 'role: is “boss”, not student, teacher or admin'],
      ['wendy,,student,,Duo', 'group: requires a class'],
      ['wendy,,teacher,Wind,Duo', 'group: is for students of the class'],
      ['wendy,,student', 'has 3 cells, but the first line has 5'],
      ['otto,,student,,', 'username: is taken by an account outside of the organization'],
      ['wanda,other@school.example,student,,', 'email: is not the same as in line 2'],
      ['wendy,,student,"Wind,', 'a quotation mark is opened and not closed'],
      ['wend\u0000y,,student,,', 'username: is not in UTF-8'],
    ])('names line and column of %j, and writes nothing', async (line, problem) => {
      if (
        !(await app.ctx.db.read
          .selectFrom('users')
          .select('id')
          .where('username', '=', 'otto')
          .executeTakeFirst())
      ) {
        await app.person('otto')
      }
      const path = await rosters.file(
        'username,email,role,class,group',
        'wanda,w@school.example,student,,',
        line,
      )
      expect(await refusal(path)).toMatch(`people.csv, line ${problem.startsWith('a quot') ? '' : '3'}`)
      expect(await refusal(path)).toContain(problem)
      expect(await find('wanda')).toEqual([])
      expect(await find('wendy')).toEqual([])
    })

    it('reports text that is not UTF-8', async () => {
      const latin1 = Buffer.from('username,lastname\nwera,M\u00fcller\n', 'latin1')
      expect(await refusal(await rosters.bytes(latin1, 'people.csv'))).toContain(
        'people.csv, line 2, lastname: is not in UTF-8; save the table as “CSV UTF-8”',
      )
    })

    it.each([
      [[''], 'people.csv is empty'],
      [['name,class', 'x,y'], 'line 1, username: the column is missing'],
      [['username,e-mail,email', 'x,y,z'], 'line 1, email: the column occurs twice'],
      [
        ['id,username', 'W1,wim', 'W2,wim'],
        'line 3, username: is also the username of another person in line 2',
      ],
      [['username,class,classid', 'wim,A,K1', 'wim,B,K1'], 'line 3, class: is “B”, but “A” in line 2'],
      [
        ['username,class,classid', 'wim,A,K1', 'wim,A,'],
        '“A” is the name of several classes: give each class an id',
      ],
      [['username,password', 'wim,secret1'], 'line 2, password: must have 8 to 1000 characters'],
      [
        ['username,role,password', 'wim,admin,a long one'],
        'line 2, password: must have 12 to 1000 characters',
      ],
      [['username,password', 'wim,Password1'], 'line 2, password: is one of the most common passwords'],
    ])('reports for %j: %s', async (lines, problem) => {
      expect(await refusal(await rosters.file(...lines))).toContain(problem)
      expect(await find('wim')).toEqual([])
    })

    it('names the first twenty errors, and the number of the rest', async () => {
      const lines = Array.from({ length: 30 }, () => ',x')
      const message = await refusal(await rosters.file('username,lastname', ...lines))
      expect(message.match(/line \d+/g)).toHaveLength(20)
      expect(message).toContain('and 10 more')
    })

    it('requires an id if several classes have the name', async () => {
      for (const _ of [1, 2]) await ada.post('/classes', { name: 'Twice' })
      expect(await refusal(await rosters.file('username,class', 'wim,Twice'))).toContain(
        '“Twice” is the name of several classes: identify the class by its id',
      )
    })

    it('refuses a missing organization and a missing file', async () => {
      const path = await rosters.file('username', 'wim')
      expect(await refusal(path, { organization: 'x' })).toBe('There is no such organization.')
      expect(await refusal('/nowhere.csv')).toBe('There is no file or folder /nowhere.csv')
    })
  })

  it('writes nothing if the organization has too few seats or classes left', async () => {
    const small = await app.organization()
    await app.person('agda', { organization: small, role: 'admin' })
    await limit(app, small, { max_seats: 2, max_classes: 1 })
    const options = { organization: small }
    expect(await refusal(await rosters.file('username', 'zack', 'zoe'), options)).toContain(
      'the maximum number of members',
    )
    const twoClasses = await rosters.file('username,class', 'zack,A', 'zack,B')
    expect(await refusal(twoClasses, options)).toContain('the maximum number of classes')
    const people = app.ctx.db.read.selectFrom('users').select('username').where('organization_id', '=', small)
    expect(await people.execute()).toHaveLength(1)
    expect((await run(await rosters.file('username,class', 'zack,A'), options)).people.created).toBe(1)
  })

  it('refuses a class without a teacher if the organization has no administrator', async () => {
    const headless = await app.organization()
    const path = await rosters.file('username,role,class', 'yan,student,Alone')
    expect(await refusal(path, { organization: headless })).toContain('“Alone” has no teacher')
    const taught = await rosters.file('username,role,class', 'yan,student,Alone', 'yve,teacher,Alone')
    expect((await run(taught, { organization: headless })).classes.created).toBe(1)
  })

  it('completes an interrupted import', async () => {
    const lines = Array.from(
      { length: 60 },
      (_, index) => `many${index},Many ${index % 4},${index % 2 ? 'Duo' : ''}`,
    )
    const path = await rosters.file('username,class,group', ...lines)
    let remaining = 0
    const failing: Context = {
      ...app.ctx,
      transaction: (work) =>
        remaining-- > 0 ? app.ctx.transaction(work) : Promise.reject(new Error('broken off')),
    }
    // Interrupts the import after each of its transactions in turn.
    for (let limit = 1; ; limit++) {
      remaining = limit
      const result = await run(path, {}, failing).catch((error) => error)
      if (!(result instanceof Error)) break
      expect(result.message).toBe('broken off')
    }
    expect(changesNothing(await run(path))).toBe(true)
    expect(await find('many')).toHaveLength(60)
    for (const index of [0, 1, 2, 3]) expect((await membersOf(`Many ${index}`)).students).toHaveLength(15)
  })

  it('stops when its time is over, and is continued by the next import', async () => {
    const lines = Array.from({ length: 30 }, (_, index) => `slow${index},Slow,${index % 2 ? 'Duo' : ''}`)
    const path = await rosters.file('username,class,group', ...lines)
    const passwords: string[] = []
    const onFirstPassword = ({ username }: { username: string }) => passwords.push(username)
    const part = () => run(path, { isOver: () => true, onFirstPassword })
    const first = await part()
    expect(first.people.created).toBeGreaterThan(0)
    expect(first.people.created).toBeLessThan(30)
    expect(first.classes.created).toBe(0)
    for (;;) if (changesNothing(await part())) break
    expect(passwords.sort()).toEqual(lines.map((line) => line.split(',')[0]).sort())
    expect((await membersOf('Slow')).students).toHaveLength(30)
  })

  it('allows two simultaneous imports', async () => {
    const lines = Array.from({ length: 40 }, (_, index) => `both${index},Both`)
    const path = await rosters.file(
      'id,username,class,classid',
      ...lines.map((line, index) => `X${index},${line},K`),
    )
    await Promise.allSettled([run(path), run(path)])
    await run(path)
    expect(await find('both')).toHaveLength(40)
    expect((await membersOf('Both')).students).toHaveLength(40)
  })

  it('reports progress', async () => {
    const seen: [number, number][] = []
    const path = await rosters.file('username,class', 'vera,Progress', 'vito,Progress')
    await run(path, { onProgress: (written, total) => seen.push([written, total]) })
    expect(seen.at(-1)).toEqual([10, 10])
    expect(seen.map(([done]) => done)).toEqual(seen.map(([done]) => done).toSorted((a, b) => a - b))
  })
})
