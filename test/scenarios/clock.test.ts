import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { minute } from '../../src/lib/durations.ts'
import { startTestApp } from '../support/app.ts'
import { clientOf } from '../support/client.ts'
import { testClock } from '../support/clock.ts'
import { describeEachDatabase } from '../support/databases.ts'
import { emptyPiano } from '../support/scores.ts'

describeEachDatabase('a server whose clock has moved back while it was stopped', (databases) => {
  it('lists new scores after the older ones', async ({ onTestFinished }) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'partita-test-'))
    onTestFinished(() => rm(dataDir, { recursive: true }))
    const location = await databases.migrated()
    const clock = testClock()
    const before = await startTestApp(location, { dataDir }, { clock })
    const { token } = await before.app.person('otto')
    const create = async (url: string, title: string) =>
      (await clientOf(url, token).post('/scores', { ...emptyPiano(), title })).status
    expect(await create(before.app.url, 'First')).toBe(200)
    await before.stop()

    clock.forward(-10 * minute)
    const after = await startTestApp(location, { dataDir }, { clock })
    expect(await create(after.app.url, 'Second')).toBe(200)
    expect(await create(after.app.url, 'Third')).toBe(200)
    const { body } = await clientOf(after.app.url, token).get(
      '/collections/root/scores?sort=creationDate&direction=asc',
    )
    expect(body.map(({ title }: { title: string }) => title)).toEqual(['First', 'Second', 'Third'])
    await after.stop()
  })
})
