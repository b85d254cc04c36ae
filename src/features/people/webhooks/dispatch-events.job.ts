import { inBatches } from '../../../platform/queue/in-batches.ts'
import { job } from '../../../platform/queue/job.ts'
import { dispatchEvents } from '../events/dispatch.ts'

/** Queues new events for the endpoints of their organizations and accounts. */
export const dispatchNewEvents = job({
  kind: 'dispatch-events',
  handle: (ctx, _payload, { signal }) => inBatches(ctx, signal, (tx) => dispatchEvents(ctx, tx)),
})
