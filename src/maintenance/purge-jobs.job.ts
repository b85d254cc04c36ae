import { job } from '../platform/queue/job.ts'
import { hour } from '../lib/durations.ts'

export const purgeJobs = job({
  kind: 'purge-jobs',
  every: hour,
  async handle(ctx, _payload, { signal }) {
    await ctx.jobs.deleteFinished(ctx.db, signal)
  },
})
