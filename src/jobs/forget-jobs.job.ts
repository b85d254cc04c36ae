import { job } from './job.ts'

const hour = 60 * 60 * 1000

export const forgetJobs = job({
  kind: 'forget-jobs',
  every: hour,
  async handle(ctx, _payload, { signal }) {
    await ctx.jobs.forget(ctx.db, signal)
  },
})
