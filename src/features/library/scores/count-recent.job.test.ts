import { beforeAll, expect, it } from 'vitest'
import { type Person, useApp } from '../../../../test/support/app.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { musicXml } from '../../../../test/support/scores.ts'
import { day, minute } from '../../../lib/durations.ts'

const zero = { weekly: 0, monthly: 0, yearly: 0 }

describeEachDatabase('the counts of periods', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let owner: Person
  let readers: Person[]

  beforeAll(async () => {
    owner = await app.person('nadia')
    readers = [await app.person('ravi'), await app.person('lena')]
  })

  const newScore = async (): Promise<string> =>
    (await owner.post('/scores', { data: musicXml(), privacy: 'public' })).body.id
  async function countsOf(score: string) {
    await app.ctx.writeBehind.flush()
    clock.forward(5 * minute)
    await app.jobsDone()
    const { likes, comments, views, plays } = (await owner.get(`/scores/${score}`)).body
    return { likes, comments, views, plays }
  }
  async function pass(days: number) {
    clock.forward(days * day)
    await app.jobsDone()
  }

  it('are zero for a score that no user liked, viewed, played or commented on', async () => {
    expect(await countsOf(await newScore())).toEqual({
      likes: { total: 0, ...zero },
      comments: { total: 0, unique: 0, ...zero },
      views: { total: 0, ...zero },
      plays: { total: 0, ...zero },
    })
  })

  it('cover the last 7, 30 and 365 days, and the total covers all time', async () => {
    const score = await newScore()
    for (const reader of readers) {
      await reader.get(`/scores/${score}`)
      await reader.get(`/scores/${score}/revisions/last/wav`)
      await reader.put(`/scores/${score}/like`)
      await reader.post(`/scores/${score}/comments`, { comment: 'Well' })
    }
    const all = (weekly: number, monthly: number, yearly: number) => ({
      likes: { total: 2, weekly, monthly, yearly },
      comments: { total: 2, unique: 2, weekly, monthly, yearly },
      views: { total: 2, weekly, monthly, yearly },
      plays: { total: 2, weekly, monthly, yearly },
    })
    expect(await countsOf(score)).toEqual(all(2, 2, 2))
    await pass(6)
    expect(await countsOf(score)).toEqual(all(2, 2, 2))
    await pass(1)
    expect(await countsOf(score)).toEqual(all(0, 2, 2))
    await pass(23)
    expect(await countsOf(score)).toEqual(all(0, 0, 2))
    await pass(334)
    expect(await countsOf(score)).toEqual(all(0, 0, 2))
    await pass(1)
    expect(await countsOf(score)).toEqual(all(0, 0, 0))
    const days = app.ctx.db.read.selectFrom('score_days').selectAll().where('score_id', '=', score)
    await pass(1)
    expect(await days.execute()).toEqual([])
  })

  it('add the views of several days', async () => {
    const score = await newScore()
    for (let n = 0; n < 10; n++) {
      await readers[0]?.get(`/scores/${score}`)
      await app.ctx.writeBehind.flush()
      await pass(1)
    }
    expect((await countsOf(score)).views).toEqual({ total: 10, weekly: 6, monthly: 10, yearly: 10 })
  })

  it('count a user with several comments once, and no inline comment', async () => {
    const score = await newScore()
    const [ravi, lena] = readers
    for (const user of [ravi, ravi, lena]) await user?.post(`/scores/${score}/comments`, { comment: 'Well' })
    await pass(8)
    const { body } = (await ravi?.post(`/scores/${score}/comments`, { comment: 'Again' })) ?? {}
    const latest = { total: 4, unique: 2, weekly: 1, monthly: 2, yearly: 2 }
    expect((await countsOf(score)).comments).toEqual(latest)
    await ravi?.delete(`/scores/${score}/comments/${body.id}`)
    expect((await countsOf(score)).comments).toEqual({ ...latest, total: 3, weekly: 0 })
  })

  it('leave out likes that were taken back', async () => {
    const score = await newScore()
    for (const reader of readers) await reader.put(`/scores/${score}/like`)
    expect((await countsOf(score)).likes).toEqual({ total: 2, weekly: 2, monthly: 2, yearly: 2 })
    await readers[0]?.delete(`/scores/${score}/like`)
    expect((await countsOf(score)).likes).toEqual({ total: 1, weekly: 1, monthly: 1, yearly: 1 })
  })

  it('are the same in a list, and do not change the modification date', async () => {
    const score = await newScore()
    const before = (await owner.get(`/scores/${score}`)).body.modificationDate
    await pass(1)
    await readers[0]?.put(`/scores/${score}/like`)
    await countsOf(score)
    const [listed] = (await owner.get('/collections/app/scores?sort=creationDate&direction=desc')).body
    expect(listed).toMatchObject({ id: score, modificationDate: before, likes: { total: 1, weekly: 1 } })
  })
})
