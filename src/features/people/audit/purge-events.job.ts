import { inBatches } from '../../../platform/queue/in-batches.ts'
import { job } from '../../../platform/queue/job.ts'
import { eventDays } from '../../../contract/event-types.ts'
import { day, hour } from '../../../lib/durations.ts'
import { deleteOldTests } from '../events/endpoints.store.ts'
import { deleteOldEvents } from '../events/store.ts'
import { deleteEventsBefore } from './store.ts'

/** Deletes what is older than its retention period: the events of the audit log, and the events that programs read. */
export const purgeEvents = job({
  kind: 'purge-events',
  every: hour,
  async handle(ctx, _payload, { signal }) {
    const before = ctx.clock.now() - ctx.config.auditDays * day
    await inBatches(ctx, signal, (tx) => deleteEventsBefore(tx, before))
    const beforeEvents = ctx.clock.now() - eventDays * day
    await inBatches(ctx, signal, (tx) => deleteOldEvents(tx, beforeEvents))
    await inBatches(ctx, signal, (tx) => deleteOldTests(tx, beforeEvents))
  },
})
