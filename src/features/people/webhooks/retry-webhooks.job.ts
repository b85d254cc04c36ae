import { job } from '../../../platform/queue/job.ts'
import { deliverDue } from './delivering.ts'

/** Sends what is due to an endpoint that has failed the last time. */
export const retryWebhooks = job({
  kind: 'retry-webhooks',
  handle: (ctx, { endpoint }, { signal }) => deliverDue(ctx, endpoint, signal),
})
