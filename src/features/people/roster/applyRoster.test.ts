import { beforeAll, expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { browserAt } from '../../../../test/support/browser.ts'
import { type Client, internalClient } from '../../../../test/support/client.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { signedIn } from '../../../../test/support/sessions.ts'

const fileOf = (name: string, lines: readonly string[]) => ({
  name,
  content: Buffer.from(lines.join('\n')).toString('base64'),
})

describeEachDatabase('applyRoster', (databases) => {
  const app = useApp(databases)
  let school: School
  let client: Client

  beforeAll(async () => {
    school = await makeSchool(app)
    client = internalClient(await signedIn(app, school.ada))
  })

  const preview = async (...files: object[]) => client.post('/organization/roster/preview', { files })
  const apply = async (body: object) => client.post('/organization/roster', body)
  const members = async () => (await client.get('/organization')).body.seats.used

  it('is previewed and then imported, with a first password for each new account', async () => {
    const before = await members()
    const table = fileOf('people.csv', [
      'username,firstname,lastname,role,class,password',
      'r.tina,Tina,Teacher,teacher,Strings,',
      'r.milo,Milo,Müller,,Strings,',
      'r.mia,Mia,,,Strings,her own secret',
    ])
    const { body: planned } = await preview(table)
    expect(planned).toMatchObject({
      problems: { count: 0, first: [] },
      people: { created: 3, changed: 0, unchanged: 0 },
      classes: { created: 1 },
      memberships: { created: 3 },
      notNamed: before,
      canCreatePasswords: true,
    })
    expect(planned.listed[0]).toEqual({
      kind: 'create',
      file: 'people.csv',
      line: 2,
      username: 'r.tina',
      name: 'Tina Teacher',
      role: 'teacher',
      fields: [],
    })
    expect(planned.listedClasses).toEqual([{ kind: 'create', name: 'Strings', before: null }])
    expect(await members()).toBe(before)

    const { body: done } = await apply({ files: [table], createPasswords: true })
    expect(done).toMatchObject({ isDone: true, remaining: 0 })
    expect(done.accounts.map(({ username }: { username: string }) => username)).toEqual(['r.tina', 'r.milo'])
    expect(await members()).toBe(before + 3)
    for (const { username, password } of done.accounts) {
      const browser = browserAt(app.url)
      await browser.submit(await browser.open('/auth/signin?next=/'), '/auth/signin', { username, password })
      expect(browser.cookies.has('partita_session')).toBe(true)
    }
    const { body: log } = await client.get('/audit-log?action=roster.imported')
    expect(log.events[0].actor.id).toBe(school.ada.id)

    const again = await preview(table)
    expect(again.body).toMatchObject({ people: { created: 0, changed: 0, unchanged: 3 }, notNamed: before })
    expect((await apply({ files: [table] })).body).toEqual({ isDone: true, remaining: 0, accounts: [] })
  })

  it('names the file, the line and the column of each problem, and changes nothing', async () => {
    const before = await members()
    const table = fileOf('people.csv', ['username,role', 'x.good,student', 'x.bad,wizard', ',student'])
    const { body } = await preview(table)
    expect(body.problems).toEqual({
      count: 2,
      first: [
        {
          file: 'people.csv',
          line: 3,
          column: 'role',
          problem: 'is “wizard”, not student, teacher or admin',
        },
        { file: 'people.csv', line: 4, column: 'username', problem: 'is missing' },
      ],
    })
    expect((await apply({ files: [table] })).status).toBe(400)
    expect((await preview({ name: 'roster.zip', content: 'eA==' })).status).toBe(400)
    expect((await preview({ name: 'people.csv', content: '!' })).status).toBe(400)
    expect(await members()).toBe(before)
  })
})
