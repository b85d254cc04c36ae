import { job } from '../../../platform/queue/job.ts'
import { deleteEventsBefore } from './store.ts'
import { day, hour } from '../../../lib/durations.ts'

/** Deletes the events of the audit log that are older than the retention period. */
export const purgeEvents = job({
  kind: 'purge-events',
  every: hour,
  async handle(ctx, _payload, { signal }) {
    const before = ctx.clock.now() - ctx.config.auditDays * day
    let hasMore = true
    while (hasMore && !signal.aborted) hasMore = await ctx.transaction((tx) => deleteEventsBefore(tx, before))
  },
})
