import { expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { day, minute } from '../../../lib/durations.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { musicXml } from '../../../../test/support/scores.ts'

describeEachDatabase('the views of a score', (databases) => {
  const clock = testClock()
  const app = useApp(databases, { trustProxy: '127.0.0.1' }, { clock })

  const viewsOf = async (score: string) => {
    await app.ctx.writeBehind.flush()
    return app.ctx.db.read.selectFrom('score_views').select('viewer').where('score_id', '=', score).execute()
  }

  it('are stored without the address or account of the viewer, and deleted after two days', async () => {
    const [otto, olga] = [await app.person('otto'), await app.person('olga')]
    const { id } = (await otto.post('/scores', { data: musicXml(), privacy: 'public' })).body
    await app.anonymous.get(`/scores/${id}`)
    await olga.get(`/scores/${id}`)
    const viewers = (await viewsOf(id)).map(({ viewer }) => viewer)
    expect(viewers).toHaveLength(2)
    for (const viewer of viewers) {
      expect(viewer).toMatch(/^[\w-]{43}$/)
      expect(viewer).not.toContain(olga.id)
    }

    clock.forward(2 * day - 61 * minute)
    await app.jobsDone()
    expect(await viewsOf(id)).toHaveLength(2)
    clock.forward(day)
    await app.jobsDone()
    expect(await viewsOf(id)).toEqual([])
    expect((await otto.get(`/scores/${id}`)).body.views.total).toBe(2)
  })

  it('count anonymous viewers by their network, the first 64 bits of an IPv6 address', async () => {
    const thea = await app.person('thea')
    const { id } = (await thea.post('/scores', { data: musicXml(), privacy: 'public' })).body
    const view = (address: string) =>
      app.anonymous.get(`/scores/${id}`, { headers: { 'X-Forwarded-For': address } })
    for (let n = 1; n < 20; n++) await view(`2001:db8:7:1::${n}`)
    expect(await viewsOf(id)).toHaveLength(1)
    for (const address of ['2001:db8:7:2::1', '203.0.113.1', '203.0.113.2']) await view(address)
    expect(await viewsOf(id)).toHaveLength(4)
  })

  it('count each viewer once an hour', async () => {
    const tilda = await app.person('tilda')
    const { id } = (await tilda.post('/scores', { data: musicXml(), privacy: 'public' })).body
    for (let i = 0; i < 3; i++) {
      await app.anonymous.get(`/scores/${id}`)
      expect(await viewsOf(id)).toHaveLength(1)
    }
    clock.forward(61 * minute)
    await app.anonymous.get(`/scores/${id}`)
    expect(await viewsOf(id)).toHaveLength(2)
    expect((await tilda.get(`/scores/${id}`)).body.views.total).toBe(2)
  })
})
