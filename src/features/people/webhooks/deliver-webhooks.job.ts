import { job } from '../../../platform/queue/job.ts'
import { deliverDue } from './delivering.ts'

/** Sends what is due to an endpoint that has answered the last time. */
export const deliverWebhooks = job({
  kind: 'deliver-webhooks',
  handle: (ctx, { endpoint }, { signal }) => deliverDue(ctx, endpoint, signal),
})
