import { randomBytes } from 'node:crypto'
import { mkdtemp, open, readdir, rename, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openSqliteConnection } from '../../src/db/sqlite/sqlite-connection.ts'
import { startDatabaseProcess } from '../support/child-process.ts'
import type { Client, Reply } from '../support/client.ts'
import { describeEachDatabase, postgresUrl, usingDatabases } from '../support/databases.ts'
import { linksOf } from '../support/paging.ts'
import { musicXml } from '../support/scores.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'
import { mountSmallDisk } from '../support/small-disk.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

const writers = 10

let folder: string
beforeEach(async ({ onTestFinished }) => {
  folder = await mkdtemp(join(tmpdir(), 'partita-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
})

/** A server that is gone when the test is over, whatever comes of it. */
async function started(...settings: Parameters<typeof startServerProcess>): Promise<ServerProcess> {
  const server = await startServerProcess(...settings)
  onTestFinished(() => server.kill())
  return server
}

/** A disk that can be filled up; undefined where it cannot be had. */
async function smallDisk() {
  const disk = join(folder, 'disk')
  const unmount = await mountSmallDisk(disk, '32m')
  if (!unmount) return undefined
  onTestFinished(unmount)
  const ballast = join(disk, 'ballast')
  return {
    disk,
    /** Leaves room for so many bytes, whatever lies there by now. */
    async fill(leaving: number) {
      const { bavail, bsize } = await statfs(disk)
      await writeFile(ballast, Buffer.alloc(bavail * bsize - leaving))
    },
    makeRoom: () => rm(ballast),
  }
}

const small = (title: string) => ({ data: musicXml({ title }) })

/** A score whose file and whose document are too large for rows, however they are packed. */
const large = (title: string) => {
  const noise = `<miscellaneous-field name="noise">${randomBytes(75_000).toString('base64')}</miscellaneous-field>`
  return { data: small(title).data.replace('</identification>', `<miscellaneous>${noise}</miscellaneous>$&`) }
}

/** What was acknowledged, titles by ids, and what the others were answered. */
interface Written {
  readonly acknowledged: Map<string, string>
  readonly refused: Reply[]
}

/** Sends scores from many sides at once, one after another, until that is enough. */
async function write(tess: Client, score: typeof small, isEnough: (written: Written) => boolean): Promise<Written> {
  const written: Written = { acknowledged: new Map(), refused: [] }
  const one = async (writer: number) => {
    for (let n = 0; !isEnough(written); n++) {
      const title = `Writer ${writer}, score ${n}`
      const reply = await tess.post('/scores', score(title))
      if (reply.status === 200) written.acknowledged.set(reply.body.id, title)
      else written.refused.push(reply)
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, writer) => one(writer)))
  return written
}

/** Reads a score over and over while something goes on; what was answered, each once. */
async function readWhile(tess: Client, id: string, goingOn: Promise<unknown>): Promise<string[]> {
  const answers = new Set<string>()
  let isOver = false
  const end = () => {
    isOver = true
  }
  goingOn.then(end, end)
  while (!isOver) answers.add(outcomeOf(await tess.get(`/scores/${id}/revisions/last/json`)))
  return [...answers]
}

/** The status and the code. That there are `message` and `id` as well, the client has seen to. */
const outcomeOf = ({ status, body }: Reply) => (status < 400 ? `${status}` : `${status} ${body.code}`)
const outcomesOf = (refused: readonly Reply[]) => [...new Set(refused.map(outcomeOf))].sort()

async function expectToBeThere(tess: Client, acknowledged: ReadonlyMap<string, string>): Promise<void> {
  expect(acknowledged.size).toBeGreaterThan(0)
  const check = async (id: string, title: string) => {
    const { status, body } = await tess.get(`/scores/${id}`)
    expect([status, body.title]).toEqual([200, title])
    const document = await tess.get(`/scores/${id}/revisions/last/json`)
    expect([document.status, JSON.stringify(document.body).includes(title)]).toEqual([200, true])
  }
  await Promise.all([...acknowledged].map(([id, title]) => check(id, title)))
}

async function listedIds(tess: Client, url: string): Promise<string[]> {
  const ids: string[] = []
  for (let path: string | undefined = '/collections/root/scores?limit=100'; path !== undefined; ) {
    const { body, headers }: Reply = await tess.get(path)
    ids.push(...body.map(({ id }: { id: string }) => id))
    path = linksOf(headers, url).next
  }
  return ids.sort()
}

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url)
  await response.arrayBuffer()
  return response.status
}

/** Whether it lives, and whether it says that it can serve. */
const health = ({ url }: ServerProcess) => Promise.all([statusOf(`${url}/healthz`), statusOf(`${url}/readyz`)])

describe('a server whose disk is full', { timeout: 60_000 }, () => {
  it('(SQLite) reads on, loses and half-writes nothing, and writes again when there is room', async (ctx) => {
    const full = await smallDisk()
    if (!full) return ctx.skip('SKIPPED: only root can mount a small disk')
    const dataDir = join(full.disk, 'data')
    const server = await started({ DATA_DIR: dataDir })
    const tess = await server.person('tess')
    const first = (await tess.post('/scores', small('First'))).body.id
    await full.fill(1_000_000)

    const writing = write(tess, small, ({ refused }) => refused.length >= 30)
    expect(await readWhile(tess, first, writing)).toEqual(['200'])
    const { acknowledged, refused } = await writing
    expect(outcomesOf(refused)).toEqual(['503 DATABASE_UNAVAILABLE'])
    await expectToBeThere(tess, acknowledged)
    expect(await listedIds(tess, server.url)).toEqual([first, ...acknowledged.keys()].sort())
    expect((await tess.get(`/scores/${first}/revisions/last/svg`)).status).toBe(200)
    expect(await health(server)).toEqual([200, 200])

    await full.makeRoom()
    const { status, body } = await tess.post('/scores', small('There is room'))
    expect(status).toBe(200)
    acknowledged.set(body.id, 'There is room')
    await server.kill()
    await server.start()
    await expectToBeThere(tess, acknowledged)
    expect(await server.stop()).toBe(0)
    const database = openSqliteConnection(join(dataDir, 'partita.db'), { readOnly: true })
    expect(database.run({ sql: 'PRAGMA integrity_check' }, []).rows).toEqual([{ integrity_check: 'ok' }])
    expect(database.run({ sql: 'PRAGMA foreign_key_check' }, []).rows).toEqual([])
    database.close()
  })

  describeEachDatabase('for large scores', (databases) => {
    it('reads on, loses nothing, leaves no half of a file, and writes again when there is room', async (ctx) => {
      const full = await smallDisk()
      if (!full) return ctx.skip('SKIPPED: only root can mount a small disk')
      const { url } = await databases.location()
      const dataDir = join(full.disk, 'data')
      const server = await started({ DATA_DIR: dataDir, DATABASE_URL: url ?? '' })
      const tess = await server.person('tess')
      const first = (await tess.post('/scores', large('First'))).body.id
      await full.fill(2_000_000)

      const writing = write(tess, large, ({ refused }) => refused.length >= 5)
      expect(await readWhile(tess, first, writing)).toEqual(['200'])
      const { acknowledged, refused } = await writing
      expect(outcomesOf(refused)).toContain('503 STORAGE_UNAVAILABLE')
      // On a full disk SQLite has no room either.
      expect(outcomesOf(refused).filter((one) => !one.startsWith('503 '))).toEqual([])
      await expectToBeThere(tess, acknowledged)
      expect(await listedIds(tess, server.url)).toEqual([first, ...acknowledged.keys()].sort())
      const files = await readdir(join(dataDir, 'blobs'), { recursive: true })
      expect(files.filter((name) => name.endsWith('.tmp'))).toEqual([])

      await full.makeRoom()
      const { status, body } = await tess.post('/scores', large('There is room'))
      expect(status).toBe(200)
      await expectToBeThere(tess, acknowledged.set(body.id, 'There is room'))
    })
  })

  it('of the log alone serves as ever, and stops when it is told to', async (ctx) => {
    const device = await open('/dev/full', 'w').catch(() => undefined)
    if (!device) return ctx.skip('SKIPPED: there is no device that is always full')
    onTestFinished(() => device.close())
    const server = await started({ DATA_DIR: folder, LOG_LEVEL: 'info' }, device.fd)
    const tess = await server.person('tess')
    // The log is written by 4,096 bytes.
    for (let n = 0; n < 100; n++) expect((await tess.get('/me')).status).toBe(200)
    expect(await server.stop()).toBe(0)
  })
})

describe('a server on SQLite', { timeout: 60_000 }, () => {
  it('reads on while another process locks the file, answers 503 to writes, and writes again after it', async () => {
    const server = await started({ DATA_DIR: folder })
    const tess = await server.person('tess')
    const first = (await tess.post('/scores', small('First'))).body.id
    const other = startDatabaseProcess('lock', { path: join(folder, 'partita.db') })
    await other.hasSaid(1)

    const writing = write(tess, small, ({ refused }) => refused.length > 0)
    expect(await readWhile(tess, first, writing)).toEqual(['200'])
    const { acknowledged, refused } = await writing
    expect([acknowledged.size, refused.length]).toEqual([0, writers])
    expect(outcomesOf(refused)).toEqual(['503 DATABASE_UNAVAILABLE'])
    expect(await health(server)).toEqual([200, 200])

    const waiting = tess.post('/scores', small('In time'))
    await other.kill()
    expect((await waiting).status).toBe(200)
    expect(await listedIds(tess, server.url)).toEqual([first, (await waiting).body.id].sort())
  })

  it('is not ready while its file is not where it was, since what it writes there would be lost', async () => {
    const server = await started({ DATA_DIR: folder })
    const file = join(folder, 'partita.db')
    await rename(file, `${file}.moved`)
    expect(await health(server)).toEqual([200, 503])
    await writeFile(file, '')
    expect(await health(server)).toEqual([200, 503])
    await rename(`${file}.moved`, file)
    expect(await health(server)).toEqual([200, 200])
  })
})

const skipped = postgresUrl ? '' : ' SKIPPED: no server at TEST_DATABASE_URL or 127.0.0.1:5432'

describe.skipIf(!postgresUrl)(`a server whose PostgreSQL is away${skipped}`, { timeout: 120_000 }, () => {
  const databases = usingDatabases('postgres')

  /** A server that reaches its database through something that can be cut. */
  async function startedBehindProxy() {
    const url = new URL((await databases.location()).url ?? '')
    const proxy = await startTcpProxy(url)
    onTestFinished(() => proxy.cut())
    url.host = `127.0.0.1:${proxy.port}`
    return { proxy, server: await started({ DATA_DIR: folder, DATABASE_URL: url.href }) }
  }

  it('answers 503 meanwhile, loses nothing, and serves again by itself', async () => {
    const { proxy, server } = await startedBehindProxy()
    const [tess, sam] = [await server.person('tess'), await server.person('sam')]
    const first = (await tess.post('/scores', small('First'))).body.id

    let cut: Promise<void> | undefined
    const writing = write(tess, small, ({ acknowledged, refused }) => {
      if (acknowledged.size >= 30) cut ??= proxy.cut()
      return refused.length >= 30
    })
    const read = await readWhile(tess, first, writing)
    expect(read.filter((one) => one !== '200')).toEqual(['503 DATABASE_UNAVAILABLE'])
    const { acknowledged, refused } = await writing
    await cut
    expect(outcomesOf(refused)).toEqual(['503 DATABASE_UNAVAILABLE'])
    // Whose token he bears the server has yet to find out.
    expect(outcomeOf(await sam.get('/me'))).toBe('503 DATABASE_UNAVAILABLE')
    expect(await health(server)).toEqual([200, 503])

    await proxy.restore()
    expect(await health(server)).toEqual([200, 200])
    expect((await tess.post('/scores', small('It is back'))).status).toBe(200)
    expect((await sam.get('/me')).status).toBe(200)
    await expectToBeThere(tess, acknowledged)
  })

  it('says soon that it is not ready where the network swallows everything, and serves again by itself', async () => {
    const { proxy, server } = await startedBehindProxy()
    const tess = await server.person('tess')
    const first = (await tess.post('/scores', small('First'))).body.id
    // Each of its connections is open, and waited on from now on.
    await Promise.all(Array.from({ length: 20 }, () => tess.get(`/scores/${first}`)))
    proxy.swallow()
    const [reading, writing] = [tess.get(`/scores/${first}`), tess.post('/scores', small('Late'))]
    expect(await health(server)).toEqual([200, 503])
    await proxy.restore()
    expect((await Promise.all([reading, writing])).map(({ status }) => status)).toEqual([200, 200])
    expect(await health(server)).toEqual([200, 200])
  })

  it('stops when it is told to', async () => {
    const { proxy, server } = await startedBehindProxy()
    await proxy.cut()
    expect(await server.stop()).toBe(0)
  })

  it('ends in the end also where the network swallows its farewell', async () => {
    const { proxy, server } = await startedBehindProxy()
    proxy.swallow()
    expect(await server.stop()).toBe(1)
  })
})
