import { randomBytes } from 'node:crypto'
import { mkdtemp, open, readdir, rename, rm, statfs, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openSqliteConnection } from '../../src/platform/db/sqlite/sqlite-connection.ts'
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

/** Starts a server and kills it at the end of the test. */
async function startServer(...settings: Parameters<typeof startServerProcess>): Promise<ServerProcess> {
  const server = await startServerProcess(...settings)
  onTestFinished(() => server.kill())
  return server
}

/** Mounts a small disk that the test can fill. Returns undefined if mounting is not permitted. */
async function smallDisk() {
  const disk = join(folder, 'disk')
  const unmount = await mountSmallDisk(disk, '32m')
  if (!unmount) return undefined
  onTestFinished(unmount)
  const filler = join(disk, 'ballast')
  return {
    disk,
    /** Fills the disk except for this number of bytes. */
    async fill(leaving: number) {
      const { bavail, bsize } = await statfs(disk)
      await writeFile(filler, Buffer.alloc(bavail * bsize - leaving))
    },
    makeRoom: () => rm(filler),
  }
}

const small = (title: string) => ({ data: musicXml({ title }) })

/** A score whose file and document are too large for database rows, even compressed. */
const large = (title: string) => {
  const noise = `<miscellaneous-field name="noise">${randomBytes(75_000).toString('base64')}</miscellaneous-field>`
  return { data: small(title).data.replace('</identification>', `<miscellaneous>${noise}</miscellaneous>$&`) }
}

/** The titles of the acknowledged scores by their ids, and the error responses. */
interface WriteResults {
  readonly acknowledged: Map<string, string>
  readonly refused: Reply[]
}

/** Sends scores with several concurrent writers until `isEnough` returns true. */
async function write(
  tess: Client,
  score: typeof small,
  isEnough: (written: WriteResults) => boolean,
): Promise<WriteResults> {
  const written: WriteResults = { acknowledged: new Map(), refused: [] }
  const writeUntilEnough = async (writer: number) => {
    for (let n = 0; !isEnough(written); n++) {
      const title = `Writer ${writer}, score ${n}`
      const reply = await tess.post('/scores', score(title))
      if (reply.status === 200) written.acknowledged.set(reply.body.id, title)
      else written.refused.push(reply)
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, writer) => writeUntilEnough(writer)))
  return written
}

/** Reads a score every twentieth of a second until a promise settles, and once after it. Returns the distinct outcomes. */
async function readWhile(tess: Client, id: string, pending: Promise<unknown>): Promise<string[]> {
  const answers = new Set<string>()
  let isOver = false
  const end = () => {
    isOver = true
  }
  pending.then(end, end)
  for (let isLast = false; !isLast; ) {
    isLast = isOver
    answers.add(outcomeOf(await tess.get(`/scores/${id}/revisions/last/json`)))
    if (!isLast) await setTimeout(50)
  }
  return [...answers]
}

/**
 * The status and the error code. The test client has already checked `message` and `id` of the error body.
 */
const outcomeOf = ({ status, body }: Reply) => (status < 400 ? `${status}` : `${status} ${body.code}`)
const outcomesOf = (refused: readonly Reply[]) => [...new Set(refused.map(outcomeOf))].sort()

async function expectStored(tess: Client, acknowledged: ReadonlyMap<string, string>): Promise<void> {
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

/** The statuses of the liveness and the readiness check. */
const health = ({ url }: ServerProcess) =>
  Promise.all([statusOf(`${url}/healthz`), statusOf(`${url}/readyz`)])

describe('a server with a full disk', { timeout: 60_000 }, () => {
  it('(SQLite) continues to serve reads, keeps the data intact, and accepts writes again when there is space', async (ctx) => {
    const full = await smallDisk()
    if (!full) return ctx.skip('SKIPPED: only root can mount a small disk')
    const dataDir = join(full.disk, 'data')
    const server = await startServer({ DATA_DIR: dataDir })
    const tess = await server.person('tess')
    const first = (await tess.post('/scores', small('First'))).body.id
    await full.fill(1_000_000)

    const writing = write(tess, small, ({ refused }) => refused.length >= 30)
    expect(await readWhile(tess, first, writing)).toEqual(['200'])
    const { acknowledged, refused } = await writing
    expect(outcomesOf(refused)).toEqual(['503 DATABASE_UNAVAILABLE'])
    await expectStored(tess, acknowledged)
    expect(await listedIds(tess, server.url)).toEqual([first, ...acknowledged.keys()].sort())
    expect((await tess.get(`/scores/${first}/revisions/last/svg`)).status).toBe(200)
    expect(await health(server)).toEqual([200, 200])

    await full.makeRoom()
    const { status, body } = await tess.post('/scores', small('There is room'))
    expect(status).toBe(200)
    acknowledged.set(body.id, 'There is room')
    await server.kill()
    await server.start()
    await expectStored(tess, acknowledged)
    expect(await server.stop()).toBe(0)
    const database = openSqliteConnection(join(dataDir, 'partita.db'), { readOnly: true })
    expect(database.run({ sql: 'PRAGMA integrity_check' }, []).rows).toEqual([{ integrity_check: 'ok' }])
    expect(database.run({ sql: 'PRAGMA foreign_key_check' }, []).rows).toEqual([])
    database.close()
  })

  describeEachDatabase('for large scores', (databases) => {
    it('continues to serve reads, leaves no partial files, and accepts writes again when there is space', async (ctx) => {
      const full = await smallDisk()
      if (!full) return ctx.skip('SKIPPED: only root can mount a small disk')
      const { url } = await databases.location()
      const dataDir = join(full.disk, 'data')
      const server = await startServer({ DATA_DIR: dataDir, DATABASE_URL: url ?? '' })
      const tess = await server.person('tess')
      const first = (await tess.post('/scores', large('First'))).body.id
      await full.fill(2_000_000)

      const writing = write(tess, large, ({ refused }) => refused.length >= 5)
      expect(await readWhile(tess, first, writing)).toEqual(['200'])
      const { acknowledged, refused } = await writing
      expect(outcomesOf(refused)).toContain('503 STORAGE_UNAVAILABLE')
      // With SQLite the database is on the full disk too, so the error code can be that of the database.
      expect(outcomesOf(refused).filter((one) => !one.startsWith('503 '))).toEqual([])
      await expectStored(tess, acknowledged)
      expect(await listedIds(tess, server.url)).toEqual([first, ...acknowledged.keys()].sort())
      const files = await readdir(join(dataDir, 'blobs'), { recursive: true })
      expect(files.filter((name) => name.endsWith('.tmp'))).toEqual([])

      await full.makeRoom()
      const { status, body } = await tess.post('/scores', large('There is room'))
      expect(status).toBe(200)
      await expectStored(tess, acknowledged.set(body.id, 'There is room'))
    })
  })

  it('serves requests and stops gracefully if only the log cannot be written', async (ctx) => {
    const device = await open('/dev/full', 'w').catch(() => undefined)
    if (!device) return ctx.skip('SKIPPED: there is no device that is always full')
    onTestFinished(() => device.close())
    const server = await startServer({ DATA_DIR: folder, LOG_LEVEL: 'info' }, device.fd)
    const tess = await server.person('tess')
    // The logger writes in blocks of 4,096 bytes.
    for (let n = 0; n < 100; n++) expect((await tess.get('/me')).status).toBe(200)
    expect(await server.stop()).toBe(0)
  })
})

describe('a server on SQLite', { timeout: 60_000 }, () => {
  it('serves reads and responds with 503 to writes while another process locks the database file', async () => {
    const server = await startServer({ DATA_DIR: folder })
    const tess = await server.person('tess')
    const first = (await tess.post('/scores', small('First'))).body.id
    const other = startDatabaseProcess('lock', { path: join(folder, 'partita.db') })
    await other.waitForLines(1)

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

  it('is not ready while its database file is moved or replaced, because writes would be lost', async () => {
    const server = await startServer({ DATA_DIR: folder })
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

describe.skipIf(!postgresUrl)(
  `a server without its PostgreSQL server${skipped}`,
  { timeout: 120_000 },
  () => {
    const databases = usingDatabases('postgres')

    /** Starts a server that connects to PostgreSQL through a proxy. */
    async function startServerBehindProxy() {
      const url = new URL((await databases.location()).url ?? '')
      const proxy = await startTcpProxy(url)
      onTestFinished(() => proxy.cut())
      url.host = `127.0.0.1:${proxy.port}`
      return { proxy, server: await startServer({ DATA_DIR: folder, DATABASE_URL: url.href }) }
    }

    it('responds with 503 while it is disconnected, loses nothing, and recovers by itself', async () => {
      const { proxy, server } = await startServerBehindProxy()
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
      // Sam's token is not in the cache, so the server needs the database to authenticate him.
      expect(outcomeOf(await sam.get('/me'))).toBe('503 DATABASE_UNAVAILABLE')
      expect(await health(server)).toEqual([200, 503])

      await proxy.restore()
      expect(await health(server)).toEqual([200, 200])
      expect((await tess.post('/scores', small('It is back'))).status).toBe(200)
      expect((await sam.get('/me')).status).toBe(200)
      await expectStored(tess, acknowledged)
    })

    it('reports quickly that it is not ready if the network drops all packets, and recovers by itself', async () => {
      const { proxy, server } = await startServerBehindProxy()
      const tess = await server.person('tess')
      const first = (await tess.post('/scores', small('First'))).body.id
      // This opens all connections of the pool. From now on they receive no responses.
      await Promise.all(Array.from({ length: 20 }, () => tess.get(`/scores/${first}`)))
      proxy.swallow()
      const [reading, writing] = [tess.get(`/scores/${first}`), tess.post('/scores', small('Late'))]
      expect(await health(server)).toEqual([200, 503])
      await proxy.restore()
      expect((await Promise.all([reading, writing])).map(({ status }) => status)).toEqual([200, 200])
      expect(await health(server)).toEqual([200, 200])
    })

    it('stops gracefully while it is disconnected', async () => {
      const { proxy, server } = await startServerBehindProxy()
      await proxy.cut()
      expect(await server.stop()).toBe(0)
    })

    it('stops with exit code 1 if the network drops the packets that close the connections', async () => {
      const { proxy, server } = await startServerBehindProxy()
      proxy.swallow()
      expect(await server.stop()).toBe(1)
    })
  },
)
