import { minute } from '../../../lib/durations.ts'
import { job } from '../../../platform/queue/job.ts'
import { listDueCounts, updateRecentCounts } from './recent-counts.store.ts'

/** Scores in one transaction, so that each transaction is short. */
const batchSize = 50

/**
 * Updates the weekly, monthly and yearly counts of the scores that were liked, commented on, viewed or played since the
 * last run, and once a day those of all scores whose counts are not zero.
 */
export const countRecent = job({
  kind: 'count-recent',
  every: 5 * minute,
  async handle(ctx, _payload, { signal }) {
    const now = ctx.clock.now()
    while (!signal.aborted) {
      const isDone = await ctx.transaction(async (tx) => {
        const due = await listDueCounts(tx, now, batchSize)
        if (due.length > 0) await updateRecentCounts(tx, due, now)
        return due.length < batchSize
      })
      if (isDone) break
    }
  },
})
