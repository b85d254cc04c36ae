import { expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { day } from '../../../lib/durations.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { musicXml } from '../../../../test/support/scores.ts'

describeEachDatabase('purge-exports', (databases) => {
  const clock = testClock()
  const app = useApp(databases, { exportDays: '7' }, { clock })

  const storedVariants = async () => {
    const rows = await app.ctx.db.read
      .selectFrom('score_exports')
      .select('variant')
      .orderBy('variant')
      .execute()
    return rows.map(({ variant }) => variant)
  }

  it('deletes old rendered exports, which are rendered again on request', async () => {
    const otto = await app.person('otto')
    const { id } = (await otto.post('/scores', { data: musicXml() })).body
    const first = await otto.get(`/scores/${id}/revisions/last/svg`)
    clock.forward(6 * day)
    await otto.get(`/scores/${id}/revisions/last/pdf`)
    await app.jobsDone()
    expect(await storedVariants()).toEqual(['pdf', 'svg'])
    clock.forward(2 * day)
    await app.jobsDone()
    expect(await storedVariants()).toEqual(['pdf'])
    const again = await otto.get(`/scores/${id}/revisions/last/svg`)
    expect([again.status, again.bytes]).toEqual([200, first.bytes])
    expect(await storedVariants()).toEqual(['pdf', 'svg'])
  })
})
