import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestApp } from '../support/app.ts'
import { clientOf } from '../support/client.ts'
import { describeEachDatabase } from '../support/databases.ts'
import { runCommand } from '../support/program.ts'
import { musicXml } from '../support/scores.ts'

const writers = 20

describeEachDatabase('backup and restore', (databases) => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'partita-test-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  /** Creates an empty installation: the settings for its server and commands. */
  async function newInstallation(name: string) {
    const location = await databases.location()
    const dataDir = join(folder, name)
    return { location, dataDir, environment: { DATA_DIR: dataDir, DATABASE_URL: location.url ?? '' } }
  }

  it('restores everything that was acknowledged before the backup, taken while twenty clients write', async () => {
    const [source, target] = [await newInstallation('here'), await newInstallation('there')]
    const backup = join(folder, 'backup')
    const { app, stop } = await startTestApp(source.location, { dataDir: source.dataDir })
    const tess = await app.person('tess')
    // This document is too large for a database row, so the backup must copy a file.
    const measures = Array.from({ length: 3000 }, (_, i) => `C${i % 8} D${i % 7} E${i % 6} F${i % 5}`)
    const large = await tess.post('/scores', { data: musicXml({ title: 'Large', measures }) })
    const acknowledged = new Map<string, string>([[large.body.id, 'Large']])
    for (let n = 0; n < 10; n++) {
      const { body } = await tess.post('/scores', { data: musicXml({ title: `Before ${n}` }) })
      acknowledged.set(body.id, body.title)
    }

    let writing = true
    const written = Array.from({ length: writers }, async (_, writer) => {
      while (writing) await tess.post('/scores', { data: musicXml({ title: `During, by ${writer}` }) })
    })
    const backedUp = await runCommand(['backup', backup, '--json'], source.environment)
    writing = false
    await Promise.all(written)
    await stop()
    expect([backedUp.code, backedUp.stderr]).toEqual([0, ''])
    expect(JSON.parse(backedUp.stdout).directory).toBe(backup)
    expect(JSON.parse(backedUp.stdout).files, 'the large document').toBeGreaterThanOrEqual(1)

    const restored = await runCommand(['restore', backup, '--json'], target.environment)
    expect([restored.code, restored.stderr]).toEqual([0, ''])
    expect(JSON.parse(restored.stdout).rows).toBe(JSON.parse(backedUp.stdout).rows)

    const second = await startTestApp(target.location, { dataDir: target.dataDir })
    try {
      const again = clientOf(second.app.url, tess.token)
      for (const [id, title] of acknowledged) {
        expect((await again.get(`/scores/${id}`)).body.title).toBe(title)
        expect((await again.get(`/scores/${id}/revisions/last/xml`)).status).toBe(200)
      }
      const { body } = await again.get('/collections/allScores')
      const { body: page } = await again.get(
        '/collections/allScores/scores?limit=100&sort=creationDate&direction=asc',
      )
      expect(body.contents.scoresCount).toBeGreaterThanOrEqual(acknowledged.size)
      for (const { id } of page)
        expect((await again.get(`/scores/${id}/revisions/last/json`)).status).toBe(200)
    } finally {
      await second.stop()
    }

    const again = await runCommand(['restore', backup], target.environment)
    expect([again.code, again.stdout]).toEqual([1, ''])
    expect(again.stderr).toContain('not empty')
    expect(again.stderr).not.toContain('    at ')
  })

  it('refuses to back up a directory without an installation, and creates nothing', async () => {
    const { dataDir, environment } = await newInstallation('mistyped')
    const { code, stdout, stderr } = await runCommand(['backup', join(folder, 'of-nothing')], environment)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(dataDir)
    expect(stderr).not.toContain('    at ')
    expect(existsSync(dataDir)).toBe(false)
    expect(existsSync(join(folder, 'of-nothing'))).toBe(false)
  })
})
