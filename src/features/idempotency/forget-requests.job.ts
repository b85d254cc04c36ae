import { job } from '../../jobs/job.ts'
import { deleteRequestsBefore } from './store.ts'

const hour = 60 * 60 * 1000
const kept = 24 * hour

/** Forgets what was answered to requests with an `Idempotency-Key` a day ago. */
export const forgetRequests = job({
  kind: 'forget-requests',
  every: hour,
  async handle(ctx, _payload, { signal }) {
    const before = ctx.clock.now() - kept
    let more = true
    while (more && !signal.aborted) more = await ctx.transaction((tx) => deleteRequestsBefore(tx, before))
  },
})
