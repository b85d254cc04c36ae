import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Client } from '../support/client.ts'
import { describeEachDatabase } from '../support/databases.ts'
import { musicXml } from '../support/scores.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'

/** CRASHES=20 for the long run. */
const crashes = Number(process.env.CRASHES ?? 2)
const writers = 20

describeEachDatabase('a server that is killed while scores come in', (databases) => {
  let dataDir: string
  let server: ServerProcess
  let tess: Client

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'partita-test-'))
    const { url } = await databases.location()
    server = await startServerProcess({ DATA_DIR: dataDir, DATABASE_URL: url ?? '', LOG_LEVEL: 'silent' })
    tess = await server.person('tess')
  })

  afterAll(async () => {
    await server.kill()
    await rm(dataDir, { recursive: true, force: true })
  })

  /** Sends scores one after another until the server is gone; those that were answered are acknowledged. */
  async function write(writer: number, acknowledged: Map<string, string>, refused: unknown[]) {
    // Some are rows of the database, some are large enough to be files.
    const measures = Array.from({ length: writer % 4 === 0 ? 400 : 4 }, (_, i) => `C${(i % 7) + 1} D4 E4 F4`)
    for (let n = 0; ; n++) {
      const title = `Writer ${writer}, score ${n}`
      try {
        const { status, body } = await tess.post('/scores', { data: musicXml({ title, measures }) })
        if (status !== 200) return refused.push(body)
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
      await server.kill()
      await Promise.all(writing)
      expect(refused).toEqual([])
      await server.start()
    }

    for (const [id, title] of acknowledged) {
      const { status, body } = await tess.get(`/scores/${id}`)
      expect([status, body.title]).toEqual([200, title])
      const document = await tess.get(`/scores/${id}/revisions/last/json`)
      expect(JSON.stringify(document.body)).toContain(title)
    }
    expect(acknowledged.size).toBeGreaterThanOrEqual(crashes * writers)
  }, 600_000)
})
