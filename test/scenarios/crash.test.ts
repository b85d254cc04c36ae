import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeEachDatabase } from '../support/databases.ts'
import { musicXml } from '../support/scores.ts'
import { startWriters } from '../support/idempotent-writers.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'

/** Number of crashes. `npm run bench -- --kill 40` kills more often, while clients attack. */
const crashes = 2
const clients = 20

describeEachDatabase('a server that is killed while clients write', (databases) => {
  let dataDir: string
  let server: ServerProcess

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'partita-test-'))
    const { url } = await databases.location()
    server = await startServerProcess({ DATA_DIR: dataDir, DATABASE_URL: url ?? '', LOG_LEVEL: 'silent' })
  })

  afterAll(async () => {
    await server.kill()
    await rm(dataDir, { recursive: true, force: true })
  })

  it(`keeps every acknowledged score and executes no request twice, after ${crashes} kills with SIGKILL`, async () => {
    const { token } = await server.person('tess')
    const writers = startWriters(server.url, token, clients)
    for (let crash = 0; crash < crashes; crash++) {
      // The crash happens at a random time, but only after each writer has something to lose.
      await writers.progress(clients)
      await delay(Math.random() * 300)
      await server.kill()
      await server.start()
    }
    await writers.finish()
    expect(await writers.faults()).toEqual([])
    expect(writers.acknowledged.size).toBeGreaterThanOrEqual(crashes * clients)
  }, 600_000)

  it('exports the title that was acknowledged before a kill with SIGKILL, in one new revision', async () => {
    const wilma = await server.person('wilma')
    const { id } = (await wilma.post('/scores', { data: musicXml({ title: 'Before' }) })).body
    await wilma.put(`/scores/${id}`, { subtitle: 'Also edited' })
    expect((await wilma.put(`/scores/${id}`, { title: 'Acknowledged' })).status).toBe(200)
    await server.kill()
    await server.start()
    const { bytes } = await wilma.get(`/scores/${id}/revisions/last/xml`)
    expect(Buffer.from(bytes).toString()).toMatch(/Acknowledged[\s\S]*Also edited/)
    expect((await wilma.get(`/scores/${id}/revisions`)).body).toHaveLength(2)
  }, 120_000)
})
