import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import type { ScoreDaysTable } from '../../../platform/db/score-tables.ts'
import { day as dayMilliseconds } from '../../../lib/durations.ts'
import { formatRecentCounts, type PeriodCounts, zeroCounts } from './recent-counts.ts'

/** Returns the number of the day (UTC) that a time in milliseconds falls in. */
export const dayOf = (time: number): number => Math.floor(time / dayMilliseconds)

/** Days that each period covers, the present one included. */
const periods = { weekly: 7, monthly: 30, yearly: 365 } as const

/**
 * Returns the start of each period that ends with the day `today`.
 * @param unit the length of a day in the unit of the result
 */
const startsOn = (today: number, unit: number): PeriodCounts => ({
  weekly: (today + 1 - periods.weekly) * unit,
  monthly: (today + 1 - periods.monthly) * unit,
  yearly: (today + 1 - periods.yearly) * unit,
})

/** The starts of the periods, and the scores. */
type CountParams = PeriodCounts & { scores: readonly string[] }

const countLikes = compiled((db, p: Params<CountParams>) =>
  db
    .selectFrom('score_likes')
    .where(p.isIn('score_id', 'scores'))
    .where('created_at', '>=', p('yearly'))
    .groupBy('score_id')
    .select(({ fn }) => [
      'score_id',
      fn.countAll<number>().filterWhere('created_at', '>=', p('weekly')).as('weekly'),
      fn.countAll<number>().filterWhere('created_at', '>=', p('monthly')).as('monthly'),
      fn.countAll<number>().as('yearly'),
    ]),
)

/** Counts the users who commented. Inline comments are left out, as in the total. */
const countCommenters = compiled((db, p: Params<CountParams>) =>
  db
    .selectFrom('score_comments as counted')
    .leftJoin('score_comments as threads', 'threads.id', 'counted.reply_to')
    .where(p.isIn('counted.score_id', 'scores'))
    .where('counted.context', 'is', null)
    .where('threads.context', 'is', null)
    .groupBy('counted.score_id')
    .select(({ fn }) => {
      const users = fn.count<number>('counted.user_id').distinct()
      return [
        'counted.score_id',
        users.as('unique'),
        users.filterWhere('counted.created_at', '>=', p('weekly')).as('weekly'),
        users.filterWhere('counted.created_at', '>=', p('monthly')).as('monthly'),
        users.filterWhere('counted.created_at', '>=', p('yearly')).as('yearly'),
      ]
    }),
)

const sumDays = (column: 'views' | 'plays') =>
  compiled((db, p: Params<CountParams>) =>
    db
      .selectFrom('score_days')
      .where(p.isIn('score_id', 'scores'))
      .where('day', '>=', p('yearly'))
      .groupBy('score_id')
      .select(({ fn, lit }) => {
        const sum = fn.sum<number>(column)
        return [
          'score_id',
          fn.coalesce(sum.filterWhere('day', '>=', p('weekly')), lit(0)).as('weekly'),
          fn.coalesce(sum.filterWhere('day', '>=', p('monthly')), lit(0)).as('monthly'),
          sum.as('yearly'),
        ]
      }),
  )
const sumViews = sumDays('views')
const sumPlays = sumDays('plays')

const updateCounts = compiled(
  (db, p: Params<{ id: string; recent_counts: string; counts_due_at: number | null }>) =>
    db
      .updateTable('scores')
      .set({ recent_counts: p('recent_counts'), counts_due_at: p('counts_due_at') })
      .where('id', '=', p('id')),
)

/**
 * Counts the likes, the commenting users, the views and the plays of scores in the periods that end on the day of `now`
 * (milliseconds). The counts are due again at the end of the day, unless all are zero.
 */
export async function updateRecentCounts(
  tx: Transaction,
  scores: readonly string[],
  now: number,
): Promise<void> {
  const today = dayOf(now)
  const byTime = { scores, ...startsOn(today, dayMilliseconds) }
  const byDay = { scores, ...startsOn(today, 1) }
  const [likes, comments, views, plays] = await Promise.all([
    countLikes(tx, byTime).then(byScore),
    countCommenters(tx, byTime).then(byScore),
    sumViews(tx, byDay).then(byScore),
    sumPlays(tx, byDay).then(byScore),
  ])
  for (const id of scores) {
    const recent_counts = formatRecentCounts({
      likes: likes.get(id) ?? zeroCounts,
      comments: comments.get(id) ?? { unique: 0, ...zeroCounts },
      views: views.get(id) ?? zeroCounts,
      plays: plays.get(id) ?? zeroCounts,
    })
    const counts_due_at = recent_counts === '' ? null : (today + 1) * dayMilliseconds
    await updateCounts(tx, { id, recent_counts, counts_due_at })
  }
}

const byScore = <Row extends { score_id: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [row.score_id, row]))

const dueScores = compiled((db, p: Params<{ now: number; limit: number }>) =>
  db
    .selectFrom('scores')
    .where('counts_due_at', '<=', p('now'))
    .select('id')
    .orderBy('counts_due_at')
    .limit(p('limit')),
)

/** Lists the scores whose recent counts are out of date at `now` (milliseconds), the longest overdue first. */
export async function listDueCounts(queries: Queries, now: number, limit: number): Promise<string[]> {
  return (await dueScores(queries, { now, limit })).map(({ id }) => id)
}

const addToDay = compiled((db, p: Params<ScoreDaysTable>) =>
  db
    .insertInto('score_days')
    .values({ score_id: p('score_id'), day: p('day'), views: p('views'), plays: p('plays') })
    .onConflict((conflict) =>
      conflict.columns(['score_id', 'day']).doUpdateSet((eb) => ({
        views: eb('score_days.views', '+', p('views')),
        plays: eb('score_days.plays', '+', p('plays')),
      })),
    ),
)

/** Adds views and plays to a day of a score. */
export async function addViewsToDay(tx: Transaction, more: ScoreDaysTable): Promise<void> {
  await addToDay(tx, more)
}

/** Deletes the days before the periods that end on the day of `now` (milliseconds). */
export async function deletePastDays(tx: Transaction, now: number): Promise<void> {
  await tx
    .deleteFrom('score_days')
    .where('day', '<', startsOn(dayOf(now), 1).yearly)
    .execute()
}
