import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app.ts'
import { testClock } from '../../../../test/support/clock.ts'
import { minute } from '../../../lib/durations.ts'
import { describeEachDatabase } from '../../../../test/support/databases.ts'
import { makeSchool, type School } from '../../../../test/support/school.ts'
import { planOf } from '../../../../test/support/query-plans.ts'
import { musicXml } from '../../../../test/support/scores.ts'
import { insertRevision, listRevisions } from './revisions.store.ts'

describeEachDatabase('getScoreRevisions', (databases) => {
  const clock = testClock()
  const app = useApp(databases, {}, { clock })
  let people: School
  let score: string

  beforeAll(async () => {
    people = await makeSchool(app)
    score = (await people.tess.post('/scores', { data: musicXml() })).body.id
    clock.forward(minute)
    const second = {
      data: musicXml({ measures: ['C4 D4 E4 F4', 'G4 F4 E4 D4'] }),
      description: 'Second',
      autosave: true,
    }
    await people.tess.post(`/scores/${score}/revisions`, second)
    clock.forward(minute)
    await people.tess.post(`/scores/${score}/revisions`, { data: musicXml(), description: 'Third' })
  })

  it('lists all revisions, newest first', async () => {
    const { status, body } = await people.tess.get(`/scores/${score}/revisions`)
    expect(status).toBe(200)
    expect(body).toMatchObject([
      { score, user: people.tess.id, description: 'Third', autosave: false },
      { score, user: people.tess.id, description: 'Second', autosave: true },
      { score, user: people.tess.id, autosave: false },
    ])
    expect(body[2].description).toBeUndefined()
    const dates = body.map(({ date }: { date: string }) => Date.parse(date))
    expect(dates).toEqual([clock.now(), clock.now() - minute, clock.now() - 2 * minute])
  })

  it('counts the notes that each revision added and deleted', async () => {
    const { body } = await people.tess.get(`/scores/${score}/revisions`)
    expect(body.map((revision: { statistics: unknown }) => revision.statistics)).toMatchObject([
      { additions: 0, deletions: 4 },
      { additions: 4, deletions: 0 },
      { additions: 4, deletions: 0 },
    ])
  })

  it('begins the work of a revision at the revision before it, and the first at its own date', async () => {
    const { body } = await people.tess.get(`/scores/${score}/revisions`)
    const [third, second, first] = body.map(({ date }: { date: string }) => date)
    expect(body.map((revision: { statistics: unknown }) => revision.statistics)).toMatchObject([
      { startDate: second, endDate: third },
      { startDate: first, endDate: second },
      { startDate: first, endDate: first },
    ])
  })

  it('includes autosaved revisions', async () => {
    const edited = (await people.tess.post('/scores', { data: musicXml() })).body.id
    for (const measures of [['C4 C4 C4 C4'], ['D4 D4 D4 D4'], ['E4 E4 E4 E4']]) {
      await people.tess.post(`/scores/${edited}/revisions`, { data: musicXml({ measures }), autosave: true })
    }
    const { body } = await people.tess.get(`/scores/${edited}/revisions`)
    expect(body.map(({ autosave }: { autosave: boolean }) => autosave)).toEqual([true, true, true, false])
  })

  it('returns the latest 10,000 revisions and reads no more rows', async () => {
    const { ctx } = app
    const { id: edited } = (await people.tess.post('/scores', { data: musicXml() })).body
    const revisions = ctx.db.read.selectFrom('score_revisions').selectAll().where('score_id', '=', edited)
    const first = await revisions.executeTakeFirstOrThrow()
    const saveRevisions = async (count: number): Promise<string[]> => {
      const ids = Array.from({ length: count }, () => ctx.newId())
      await ctx.transaction(async (tx) => {
        await Promise.all(ids.map((id) => insertRevision(tx, { ...first, id })))
        // PostgreSQL collects the statistics for its query plans only after a while unless it is told to.
        await sql`analyze score_revisions`.execute(tx)
      })
      return ids
    }
    const plan = () => planOf(ctx.db.read, (queries) => listRevisions(queries, edited))
    const expectedPlan = {
      sqlite: ['SEARCH score_revisions USING INDEX score_revisions_by_score (score_id>? AND score_id<?)'],
      postgres: [
        expect.stringMatching(/^Limit \(actual rows=10000/),
        expect.stringMatching(/Index Scan Backward using score_revisions_by_score .*\(actual rows=10000/),
        expect.stringMatching(/^Index Cond: /),
      ],
    }[databases.dialect]

    const ids = await saveRevisions(15_000)
    const { status, body } = await people.tess.get(`/scores/${edited}/revisions`)
    expect(status).toBe(200)
    expect(body.map(({ id }: { id: string }) => id)).toEqual(ids.slice(-10_000).toReversed())
    expect(await plan()).toEqual(expectedPlan)
    await saveRevisions(1000)
    expect(await plan()).toEqual(expectedPlan)
    expect((await people.tess.get(`/scores/${edited}/revisions/${first.id}`)).status).toBe(200)
  })

  it('returns 404 for a score the caller cannot see', async () => {
    const { status, body } = await people.otto.get(`/scores/${score}/revisions`)
    expect([status, body.code]).toEqual([404, 'SCORE_NOT_FOUND'])
  })

  it('accepts the sharing key of a score', async () => {
    const shared = (await people.tess.post('/scores', { data: musicXml(), privacy: 'privateLink' })).body
    expect((await app.anonymous.get(`/scores/${shared.id}/revisions`)).status).toBe(404)
    const { status, body } = await people.sam.get(
      `/scores/${shared.id}/revisions?sharingKey=${shared.sharingKey}`,
    )
    expect(status).toBe(200)
    expect(body).toHaveLength(1)
  })
})
