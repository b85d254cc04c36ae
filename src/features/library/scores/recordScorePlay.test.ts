import { beforeAll, expect, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import type { Client } from '../../../../test/support/client.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { musicXml } from '../../../../test/support/scores.ts'
import { minute } from '../../../lib/durations.ts'

describeEachDatabase('recordScorePlay', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let otto: Person
  let olga: Person

  beforeAll(async () => {
    ;[otto, olga] = [await app.person('otto'), await app.person('olga')]
  })

  const playsOf = async (score: string): Promise<number> => {
    await app.ctx.writeBehind.flush()
    return (await otto.get(`/scores/${score}`)).body.plays.total
  }

  it('counts each listener once an hour, also after a download, and never the owner', async () => {
    const score = (await otto.post('/scores', { data: musicXml(), privacy: 'public' })).body.id
    const play = async (listener: Client) =>
      expect((await listener.post(`/scores/${score}/plays`)).status).toBe(204)
    await play(otto)
    expect(await playsOf(score)).toBe(0)
    for (const listener of [olga, app.anonymous, olga, app.anonymous]) await play(listener)
    expect(await playsOf(score)).toBe(2)
    clock.forward(61 * minute)
    await play(olga)
    expect((await olga.get(`/scores/${score}/revisions/last/wav`)).status).toBe(200)
    expect(await playsOf(score)).toBe(3)
  })

  it('needs the key of a score that is shared by a link', async () => {
    const { id, sharingKey } = (await otto.post('/scores', { data: musicXml(), privacy: 'privateLink' })).body
    expect((await olga.post(`/scores/${id}/plays`)).status).toBe(404)
    expect((await olga.post(`/scores/${id}/plays?sharingKey=${'0'.repeat(128)}`)).status).toBe(404)
    expect(await playsOf(id)).toBe(0)
    expect((await olga.post(`/scores/${id}/plays?sharingKey=${sharingKey}`)).status).toBe(204)
    expect(await playsOf(id)).toBe(1)
  })
})
