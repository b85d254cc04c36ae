import { beforeAll, expect, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import type { Client } from '../../../../test/support/client.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { day, minute } from '../../../lib/durations.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { musicXml } from '../../../../test/support/scores.ts'

describeEachDatabase('the plays of a score', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let otto: Person
  let olga: Person

  beforeAll(async () => {
    ;[otto, olga] = [await app.person('otto'), await app.person('olga')]
  })

  const newScore = async (): Promise<string> =>
    (await otto.post('/scores', { data: musicXml(), privacy: 'public' })).body.id
  async function fetchData(viewer: Client, score: string, format: string): Promise<void> {
    expect((await viewer.get(`/scores/${score}/revisions/last/${format}`)).status).toBe(200)
  }
  const countsOf = async (score: string) => {
    await app.ctx.writeBehind.flush()
    const { plays, views } = (await otto.get(`/scores/${score}`)).body
    return { plays: plays.total, views: views.total }
  }

  it('count downloads of recordings by users other than the owner, directly or by URL', async () => {
    const score = await newScore()
    await fetchData(otto, score, 'wav')
    expect(await countsOf(score)).toEqual({ plays: 0, views: 0 })
    await fetchData(olga, score, 'wav')
    expect(await countsOf(score)).toEqual({ plays: 1, views: 0 })
    await fetchData(app.anonymous, score, 'mp3?url=true')
    expect(await countsOf(score)).toEqual({ plays: 2, views: 0 })
  })

  it('count a task that makes a recording', async () => {
    const score = await newScore()
    for (const format of ['wav', 'pdf'])
      expect((await olga.post(`/scores/${score}/revisions/last/${format}/task`)).status).toBe(200)
    expect(await countsOf(score)).toEqual({ plays: 1, views: 0 })
    await app.jobsDone()
  })

  it('do not count notation formats, MIDI or failed downloads', async () => {
    const score = await newScore()
    for (const format of ['xml', 'midi', 'synchronizationPoints', 'json'])
      await fetchData(olga, score, format)
    expect((await olga.get(`/scores/${score}/revisions/last/mp3?parts=none`)).status).toBe(400)
    expect(await countsOf(score)).toEqual({ plays: 0, views: 0 })
  })

  it('count each listener once an hour, regardless of the format', async () => {
    const score = await newScore()
    for (const format of ['wav', 'mp3', 'wav']) {
      await fetchData(olga, score, format)
      expect(await countsOf(score)).toEqual({ plays: 1, views: 0 })
    }
    clock.forward(61 * minute)
    await fetchData(olga, score, 'wav')
    expect(await countsOf(score)).toEqual({ plays: 2, views: 0 })
  })

  it('stay counted after the records of the listeners are deleted', async () => {
    const score = await newScore()
    const listeners = () =>
      app.ctx.db.read.selectFrom('score_plays').select('viewer').where('score_id', '=', score).execute()
    await fetchData(olga, score, 'wav')
    expect(await countsOf(score)).toEqual({ plays: 1, views: 0 })
    expect(await listeners()).toEqual([{ viewer: expect.stringMatching(/^[\w-]{43}$/) }])
    clock.forward(3 * day)
    await app.jobsDone()
    expect(await listeners()).toEqual([])
    expect(await countsOf(score)).toEqual({ plays: 1, views: 0 })
  })

  it('are counted separately from views', async () => {
    const score = await newScore()
    await olga.get(`/scores/${score}`)
    await fetchData(olga, score, 'wav')
    expect(await countsOf(score)).toEqual({ plays: 1, views: 1 })
  })
})
