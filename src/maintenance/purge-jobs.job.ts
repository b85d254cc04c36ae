import { job } from '../platform/queue/job.ts'

const hour = 60 * 60 * 1000

export const purgeJobs = job({
  kind: 'purge-jobs',
  every: hour,
  async handle(ctx, _payload, { signal }) {
    await ctx.jobs.deleteFinished(ctx.db, signal)
  },
})
