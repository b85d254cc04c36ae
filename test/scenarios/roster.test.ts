import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Client, clientOf } from '../support/client.ts'
import { describeEachDatabase } from '../support/databases.ts'
import { runCommand } from '../support/program.ts'
import { oneRoster, rosterFolder } from '../support/rosters.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'

describeEachDatabase('a roster import beside a running server', (databases) => {
  const rosters = rosterFolder()
  let server: ServerProcess
  let dataDir: string
  let organization: string
  let ada: Client

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'partita-test-'))
    const { url } = await databases.location()
    server = await startServerProcess({ DATA_DIR: dataDir, DATABASE_URL: url ?? '' })
    ;({ id: organization } = await run('organization', 'create', '--name', 'School'))
    const admin = ['--password', 'secret1', '--organization', organization, '--role', 'admin']
    await run('user', 'create', '--username', 'ada', ...admin)
    ada = clientOf(server.url, (await run('token', 'create', '--user', 'ada')).token)
  })

  afterAll(async () => {
    await server.kill()
    await rm(dataDir, { recursive: true, force: true })
  })

  /** Runs a command with `--json` and returns the single object that it prints. */
  async function run(...words: string[]) {
    const { code, stdout, stderr } = await runCommand([...words, '--json'], server.environment)
    expect([code, stderr]).toEqual([0, ''])
    return JSON.parse(stdout)
  }
  const roster = (path: string) => ['import', 'roster', path, '--organization', organization]

  it('previews the changes, applies them while the server writes, and finds no changes the second time', async () => {
    const lines = Array.from({ length: 1000 }, (_, index) => `student${index},Class ${index % 40},S${index}`)
    const path = await rosters.file('username,class,id', ...lines)
    const planned = await run(...roster(path), '--dry-run')
    expect(planned).toMatchObject({ organization, dryRun: true, changed: false })
    expect([planned.people.created, planned.classes.created, planned.memberships.created]).toEqual([
      1000, 40, 1000,
    ])
    expect((await ada.get('/organizations/users/count?role=user')).body).toBe(0)

    let isOver = false
    const importing = run(...roster(path)).finally(() => {
      isOver = true
    })
    const statuses: number[] = []
    do statuses.push((await ada.post('/classes', { name: `Other ${statuses.length}` })).status)
    while (!isOver)
    expect(await importing).toEqual({ ...planned, dryRun: false, changed: true })
    expect(statuses).toEqual(statuses.map(() => 200))
    expect(statuses.length).toBeGreaterThan(5)
    expect((await ada.get('/organizations/users/count?role=user')).body).toBe(1000)

    expect(await run(...roster(path))).toMatchObject({
      changed: false,
      people: { created: 0, changed: 0, unchanged: 1000 },
    })
    const { code, stdout } = await runCommand(roster(path), server.environment)
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Nothing to change/)])
  })

  it('imports OneRoster files and creates inactive classes', async () => {
    const path = await rosters.folder(oneRoster)
    expect(await run(...roster(path), '--inactive')).toMatchObject({
      people: { created: 4 },
      classes: { created: 1 },
    })
    const { token } = await run('token', 'create', '--user', 'or.theo')
    const theo = clientOf(server.url, token)
    const [schoolClass] = (await theo.get('/classes?state=inactive')).body
    expect(schoolClass).toMatchObject({ name: 'Winds', studentsGroup: { usersCount: 1 } })
    expect((await theo.post(`/classes/${schoolClass.id}/activate`)).body.state).toBe('active')
  })

  it('prints errors as text on standard error and nothing on standard output', async () => {
    const path = await rosters.file('username,email', 'una,nowhere', 'ugo,')
    const { code, stdout, stderr } = await runCommand([...roster(path), '--json'], server.environment)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toBe(
      'partita: Nothing was changed. Fix these problems first:\n  people.csv, line 2, email: is not an e-mail address\n',
    )
    expect((await ada.get('/organizations/users?q=ugo')).body).toEqual([])
  })
})
