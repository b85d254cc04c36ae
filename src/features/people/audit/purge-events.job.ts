import { inBatches } from '../../../platform/queue/in-batches.ts'
import { job } from '../../../platform/queue/job.ts'
import { deleteEventsBefore } from './store.ts'
import { day, hour } from '../../../lib/durations.ts'

/** Deletes the events of the audit log that are older than the retention period. */
export const purgeEvents = job({
  kind: 'purge-events',
  every: hour,
  async handle(ctx, _payload, { signal }) {
    const before = ctx.clock.now() - ctx.config.auditDays * day
    await inBatches(ctx, signal, (tx) => deleteEventsBefore(tx, before))
  },
})
