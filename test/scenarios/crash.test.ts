import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeEachDatabase } from '../support/databases.ts'
import { freePort, runPartita, spawnPartita, untilReady } from '../support/program.ts'
import { musicXml } from '../support/scores.ts'

/** CRASHES=20 for the long run. */
const crashes = Number(process.env.CRASHES ?? 2)
const writers = 20

describeEachDatabase('a server that is killed while scores come in', (databases) => {
  let environment: NodeJS.ProcessEnv
  let dataDir: string
  let url: string
  let server: ChildProcess
  let token: string

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'partita-test-'))
    const port = await freePort()
    const { url: databaseUrl = '' } = await databases.location()
    url = `http://127.0.0.1:${port}`
    environment = {
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      RATE_LIMIT_AUTHENTICATED: '1000000000',
      LOG_LEVEL: 'silent',
    }
    await start()
    await runPartita(['user', 'create', '--username', 'tess', '--password', 'secret1'], environment)
    const { stdout } = await runPartita(['token', 'create', '--user', 'tess', '--json'], environment)
    token = JSON.parse(stdout).token
  })

  afterAll(async () => {
    server.kill('SIGKILL')
    await rm(dataDir, { recursive: true, force: true })
  })

  async function start() {
    server = spawnPartita(['serve'], environment)
    server.stdout?.resume()
    server.stderr?.resume()
    await untilReady(url, server)
  }

  const request = (path: string, body?: object) =>
    fetch(`${url}/v2${path}`, {
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })

  /** Sends scores one after another until the server is gone; those that were answered are acknowledged. */
  async function write(writer: number, acknowledged: Map<string, string>, refused: unknown[]) {
    // Some are rows of the database, some are large enough to be files.
    const measures = Array.from({ length: writer % 4 === 0 ? 400 : 4 }, (_, i) => `C${(i % 7) + 1} D4 E4 F4`)
    for (let n = 0; ; n++) {
      const title = `Writer ${writer}, score ${n}`
      try {
        const response = await request('/scores', { data: musicXml({ title, measures }) })
        const body = (await response.json()) as { id: string }
        if (response.status !== 200) return refused.push(body)
        acknowledged.set(body.id, title)
      } catch {
        return
      }
    }
  }

  it(`has every score that it acknowledged, and reads it, after ${crashes} times kill -9 under ${writers} writers`, async () => {
    const acknowledged = new Map<string, string>()
    const refused: unknown[] = []
    for (let crash = 0; crash < crashes; crash++) {
      const before = acknowledged.size
      const writing = Array.from({ length: writers }, (_, writer) => write(writer, acknowledged, refused))
      // The moment of the crash is chance on purpose, but not before there is something to lose.
      while (acknowledged.size < before + writers && refused.length === 0) await delay(10)
      await delay(Math.random() * 300)
      server.kill('SIGKILL')
      await once(server, 'exit')
      await Promise.all(writing)
      expect(refused).toEqual([])
      await start()
    }

    for (const [id, title] of acknowledged) {
      const score = await request(`/scores/${id}`)
      expect([score.status, ((await score.json()) as { title: string }).title]).toEqual([200, title])
      const document = await request(`/scores/${id}/revisions/last/json`)
      expect(JSON.stringify(await document.json())).toContain(title)
    }
    expect(acknowledged.size).toBeGreaterThanOrEqual(crashes * writers)
  }, 600_000)
})
