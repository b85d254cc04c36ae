import { inBatches } from '../platform/queue/in-batches.ts'
import { job } from '../platform/queue/job.ts'
import { deleteRequestsBefore } from '../platform/idempotency/store.ts'
import { hour } from '../lib/durations.ts'

const retention = 24 * hour

/** Deletes the stored responses of requests with an `Idempotency-Key` after a day. */
export const purgeRequests = job({
  kind: 'purge-requests',
  every: hour,
  async handle(ctx, _payload, { signal }) {
    const before = ctx.clock.now() - retention
    await inBatches(ctx, signal, (tx) => deleteRequestsBefore(tx, before))
  },
})
