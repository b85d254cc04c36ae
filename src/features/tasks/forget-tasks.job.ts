import { job } from '../../jobs/job.ts'
import { clearSpentSources, deleteForgottenTasks } from './store.ts'

const hour = 60 * 60 * 1000

/** Lets go of what tasks keep: the file to import once its job is over, and the task itself once its job is forgotten. */
export const forgetTasks = job({
  kind: 'forget-tasks',
  every: hour,
  async handle(ctx, _payload, { signal }) {
    await ctx.transaction(clearSpentSources)
    await deleteForgottenTasks(ctx.db, ctx.clock.now(), signal)
  },
})
