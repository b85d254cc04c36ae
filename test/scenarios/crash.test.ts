import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Client } from '../support/client.ts'
import { describeEachDatabase } from '../support/databases.ts'
import { musicXml } from '../support/scores.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'

/** Number of crashes. Set CRASHES=20 for a long run. */
const crashes = Number(process.env.CRASHES ?? 2)
const writers = 20

describeEachDatabase('a server that is killed while clients write', (databases) => {
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

  /**
   * Sends scores one after another until the server stops. A score is acknowledged when its response arrives.
   */
  async function write(writer: number, acknowledged: Map<string, string>, refused: unknown[]) {
    // Some scores are small enough for database rows. Others are stored as files.
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

  it(`keeps every acknowledged score readable after ${crashes} kills with SIGKILL under ${writers} writers`, async () => {
    const acknowledged = new Map<string, string>()
    const refused: unknown[] = []
    for (let crash = 0; crash < crashes; crash++) {
      const before = acknowledged.size
      const writing = Array.from({ length: writers }, (_, writer) => write(writer, acknowledged, refused))
      // The crash happens at a random time, but only after each writer has something to lose.
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
