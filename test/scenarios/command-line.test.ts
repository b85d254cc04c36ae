import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { clientOf } from '../support/client.ts'
import { describeEachDatabase } from '../support/databases.ts'
import { freePort, runPartita, spawnPartita, untilReady } from '../support/program.ts'

describeEachDatabase('the command line beside a running server', (databases) => {
  let environment: NodeJS.ProcessEnv
  let server: ChildProcess
  let url: string
  let dataDir: string

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'partita-test-'))
    const port = await freePort()
    const { url: databaseUrl = '' } = await databases.location()
    url = `http://127.0.0.1:${port}`
    environment = { PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: databaseUrl }
    server = spawnPartita(['serve'], environment)
    await untilReady(url, server)
  })

  afterAll(async () => {
    if (server.exitCode === null) {
      server.kill('SIGTERM')
      await once(server, 'exit')
    }
    await rm(dataDir, { recursive: true, force: true })
  })

  /** What a command prints with --json: one object and nothing else. */
  async function run(...words: string[]) {
    const { code, stdout, stderr } = await runPartita([...words, '--json'], environment)
    expect([code, stderr]).toEqual([0, ''])
    return JSON.parse(stdout)
  }

  it('makes an organization, people in it and tokens that the server takes at once', async () => {
    const school = await run('organization', 'create', '--name', 'École')
    expect(school).toEqual({ id: expect.stringMatching(/^[0-9a-f]{24}$/), name: 'École' })
    expect(await run('organization', 'update', school.id, '--max-classes', '3')).toEqual({
      id: school.id,
      maxClasses: 3,
    })
    expect(await run('organization', 'update', school.id, '--allow-public-scores', 'true')).toEqual({
      id: school.id,
      allowPublicScores: true,
    })
    const names = ['--firstname', 'Tess', '--lastname', 'T.', '--email', 'tess@school.example']
    const member = ['--organization', school.id, '--role', 'teacher']
    const tess = await run('user', 'create', '--username', 'tess', '--password', 'secret1', ...names, ...member)
    const { token } = await run('token', 'create', '--user', 'tess')
    const { body } = await clientOf(url, token).get('/me')
    expect(body).toMatchObject({
      id: tess.id,
      username: 'tess',
      firstname: 'Tess',
      organization: school.id,
      organizationRole: 'teacher',
      product: 'flatEdu',
      isEmailVerified: true,
    })
  })

  it('gives a token the scopes that are named and no others', async () => {
    await run('user', 'create', '--username', 'otto', '--password', 'secret1')
    const { token } = await run('token', 'create', '--user', 'otto', '--scopes', 'scores.readonly, tasks.readonly')
    const otto = clientOf(url, token)
    expect((await otto.get('/scores/0123456789abcdef01234567')).status).toBe(404)
    expect((await otto.get('/me')).body.code).toBe('INSUFFICIENT_SCOPE')
  })

  it('registers apps, and gives a secret only to those that can keep one', async () => {
    const words = ['app', 'create', '--name', 'Notes', '--redirect-uri', 'https://notes.example/back']
    expect(await run(...words)).toEqual({ clientId: expect.any(String), clientSecret: expect.any(String) })
    expect(await run(...words, '--public')).toEqual({ clientId: expect.any(String) })
  })

  it.each([
    [['user', 'create', '--username', 'me', '--password', 'secret1'], 'username'],
    [['user', 'create', '--username', 'sol', '--password', 'short'], 'password'],
    [['user', 'create', '--username', 'sol', '--password', 'secret1', '--organization', 'x'], 'organization'],
    [['user', 'create', '--username', 'sol', '--password', 'secret1', '--role', 'admin'], '--organization'],
    [['token', 'create', '--user', 'nobody'], 'user'],
    [['token', 'create', '--user', 'tess', '--scopes', 'scores,everything'], 'everything'],
    [['organization', 'update', 'x', '--max-classes', '1'], 'organization'],
    [['organization', 'update', 'x', '--max-classes', 'few'], 'few'],
    [['organization', 'update', 'x', '--allow-public-scores', 'perhaps'], 'perhaps'],
    [['organization', 'update', 'x'], '--allow-public-scores'],
    [['app', 'create', '--name', 'n', '--redirect-uri', 'nowhere'], 'redirect-uri'],
  ])('says in one sentence what is wrong with %j', async (words, mentioned) => {
    const { code, stdout, stderr } = await runPartita([...words, '--json'], environment)
    expect(code).not.toBe(0)
    expect(stdout).toBe('')
    expect(stderr).toContain(mentioned)
    expect(stderr).not.toContain('    at ')
  })

  it('takes a username only once, however it is written', async () => {
    await run('user', 'create', '--username', 'Zoë', '--password', 'secret1')
    const again = await runPartita(['user', 'create', '--username', 'zoe', '--password', 'secret1'], environment)
    expect(again.code).toBe(1)
    expect(again.stderr).toContain('username')
  })

  it('prints its settings, and the password of the database not', async () => {
    const config = await runPartita(['config'], { ...environment, DATABASE_URL: 'postgres://ada:hunter2@db/scores' })
    expect(config.stdout).toContain(`DATA_DIR=${dataDir}`)
    expect(config.stdout).not.toContain('hunter2')
  })

  it('fills an installation with a small school whose tokens work', async () => {
    const demo = await run('demo')
    const teacher = demo.users.find(({ role }: { role: string }) => role === 'teacher')
    expect(demo.users).toHaveLength(4)
    const { body } = await clientOf(url, teacher.token).get('/collections/app/scores')
    expect(body).toHaveLength(4)
    expect((await runPartita(['demo'], environment)).stderr).toContain('already')
  })

  it('stops by itself when it is asked to', async () => {
    server.kill('SIGTERM')
    const [code] = await once(server, 'exit')
    expect(code).toBe(0)
  })
})
