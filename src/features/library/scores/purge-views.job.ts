import { job } from '../../../platform/queue/job.ts'
import { deletePastDays } from './recent-counts.store.ts'
import { deleteViewsBefore, hourOf } from './views.store.ts'
import { hour } from '../../../lib/durations.ts'

/**
 * How long viewers are stored, in milliseconds. Views are counted once an hour. The rest is a margin for
 * clock differences and delayed writes.
 */
const retention = 48 * hour

/** Deletes old views of single viewers, and daily counts that are older than every period. The total counts stay. */
export const purgeViews = job({
  kind: 'purge-views',
  every: hour,
  async handle(ctx, _payload, { signal }) {
    const now = ctx.clock.now()
    await deleteViewsBefore(ctx.db, hourOf(now - retention), signal)
    await ctx.transaction((tx) => deletePastDays(tx, now))
  },
})
