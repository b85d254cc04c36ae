import { createHmac, randomBytes } from 'node:crypto'
import { compiled, type Params } from '../../db/compiled.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { loadServerSecretIn } from '../../db/server-secrets.ts'
import type { ScoreViewsTable } from '../../db/score-tables.ts'
import type { DeferredWrite } from '../../db/write-behind.ts'
import type { Context } from '../../operation.ts'
import { counterOf } from './counters.ts'

const hourMilliseconds = 60 * 60 * 1000

/** The hour that views and plays at this time count for. */
export const hourOf = (time: number): number => Math.floor(time / hourMilliseconds)

/**
 * A look at a score by another than its owner counts once an hour; it is written later, never in the read's path.
 * @param viewer an account, or the address of someone without one; it is stored as a hash that only we can make
 */
export const noteView = (ctx: Context, score: Seen, viewer: string): void => note(ctx, scoreViews, score, viewer)

/** The same for who fetches a recording of it. */
export const notePlay = (ctx: Context, score: Seen, viewer: string): void => note(ctx, scorePlays, score, viewer)

interface Seen {
  id: string
  owner_id: string
}

function note(ctx: Context, counter: DeferredWrite, score: Seen, viewer: string): void {
  if (viewer === score.owner_id) return
  ctx.writeBehind.note(counter, `${score.id}|${viewer}|${hourOf(ctx.clock.now())}`, 1)
}

const scoreViews = countingIn('score_views', 'views')
const scorePlays = countingIn('score_plays', 'plays')

/** Counts `score|viewer|hour` once: not again who was counted before in the same hour, in whichever process. */
function countingIn(table: 'score_views' | 'score_plays', column: 'views' | 'plays'): DeferredWrite {
  const insert = compiled((db, p: Params<ScoreViewsTable>) =>
    db
      .insertInto(table)
      .columns(['score_id', 'viewer', 'hour'])
      // A score that was deleted meanwhile is not seen any more.
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
      for (const key of notes.keys()) {
        const [score_id = '', viewer = '', hour = ''] = key.split('|')
        // An address is personal, and there are few enough of them to try them all: a plain hash would not hide it.
        const pseudonym = createHmac('sha256', secret).update(viewer).digest('base64url')
        const isNew = await insert(tx, { score_id, viewer: pseudonym, hour: Number(hour) })
        if (isNew) await count(tx, { score: score_id, more: 1 })
      }
    },
  }
}

/** Deletes who saw and who played what in the hours before that one, an hour at a time. */
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
