import { createHmac, randomBytes } from 'node:crypto'
import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Database, Transaction } from '../../../platform/db/database.ts'
import { loadServerSecretIn } from '../../../platform/db/server-secrets.ts'
import type { ScoreViewsTable } from '../../../platform/db/score-tables.ts'
import type { DeferredWrite } from '../../../platform/db/write-behind.ts'
import type { Context } from '../../../context.ts'
import { counterOf } from './counters.store.ts'
import { addViewsToDay, dayOf } from './recent-counts.store.ts'
import { hour as hourMilliseconds } from '../../../lib/durations.ts'

/** Returns the number of the hour that a time (in milliseconds) falls in. */
export const hourOf = (time: number): number => Math.floor(time / hourMilliseconds)

/**
 * Counts a view of a score. A viewer counts once an hour, and the owner does not count. The count is written
 * later, so that a read request does not wait for it. Call it when the response is ready, so that a refused request does not
 * count.
 * @param viewer the caller: the id of an account, or the network of an anonymous viewer; it is stored as a keyed hash
 */
export const recordView = (ctx: Context, score: ViewedScore, viewer: string): void =>
  record(ctx, scoreViews, score, viewer)

/** Counts a play: in a browser, the download of a recording of a score, or a task that makes one. The rules are those of `recordView`. */
export const recordPlay = (ctx: Context, score: ViewedScore, viewer: string): void =>
  record(ctx, scorePlays, score, viewer)

interface ViewedScore {
  id: string
  owner_id: string
}

function record(ctx: Context, counter: DeferredWrite, score: ViewedScore, viewer: string): void {
  if (viewer === score.owner_id) return
  ctx.writeBehind.note(counter, `${score.id}|${viewer}|${hourOf(ctx.clock.now())}`, 1)
}

const scoreViews = hourlyCounter('score_views', 'views')
const scorePlays = hourlyCounter('score_plays', 'plays')

/** Creates a deferred write that counts each `score|viewer|hour` key once, across all processes. */
function hourlyCounter(table: 'score_views' | 'score_plays', column: 'views' | 'plays'): DeferredWrite {
  const insert = compiled((db, p: Params<ScoreViewsTable>) =>
    db
      .insertInto(table)
      .columns(['score_id', 'viewer', 'hour'])
      // The select inserts nothing if the score was deleted meanwhile.
      .expression((eb) =>
        eb
          .selectFrom('scores')
          .where('id', '=', p('score_id'))
          .select((row) => [
            'id',
            row.cast<string>(p('viewer'), 'text').as('viewer'),
            row.cast<number>(p('hour'), 'bigint').as('hour'),
          ]),
      )
      .onConflict((conflict) => conflict.doNothing()),
  )
  const count = counterOf(column)
  return {
    name: `score ${column}`,
    merge: () => 1,
    async flush(tx: Transaction, notes) {
      const secret = await loadServerSecretIn(tx, 'views', () => randomBytes(32))
      const byDay = new Map<string, { score_id: string; day: number; more: number }>()
      for (const key of notes.keys()) {
        const [score_id = '', viewer = '', hour = ''] = key.split('|')
        // The network of a viewer is personal data. The address space is small enough to reverse a plain hash by trying
        // all addresses.
        const pseudonym = createHmac('sha256', secret).update(viewer).digest('base64url')
        const isNew = await insert(tx, { score_id, viewer: pseudonym, hour: Number(hour) })
        if (!isNew) continue
        const day = dayOf(Number(hour) * hourMilliseconds)
        const known = byDay.get(`${score_id}|${day}`)
        byDay.set(`${score_id}|${day}`, { score_id, day, more: (known?.more ?? 0) + 1 })
      }
      for (const { score_id, day, more } of byDay.values()) {
        await count(tx, { score: score_id, more })
        await addViewsToDay(tx, { score_id, day, views: 0, plays: 0, [column]: more })
      }
    },
  }
}

/** Deletes the records of views and plays before `hour`, one hour at a time. */
export async function deleteViewsBefore(db: Database, hour: number, signal: AbortSignal): Promise<void> {
  for (const table of ['score_views', 'score_plays'] as const) {
    while (!signal.aborted) {
      const oldest = await db.read
        .selectFrom(table)
        .select('hour')
        .where('hour', '<', hour)
        .orderBy('hour')
        .limit(1)
        .executeTakeFirst()
      if (!oldest) break
      await db.transaction((tx) => tx.deleteFrom(table).where('hour', '=', oldest.hour).execute())
    }
  }
}
