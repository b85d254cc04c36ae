import { job } from '../../jobs/job.ts'
import { deleteDueScore } from './store.ts'

/** Deletes a score whose time in the trash is over; one that was taken out of it meanwhile stays. */
export const deleteDueScoreJob = job({
  kind: 'delete-score',
  async handle(ctx, { score }) {
    await ctx.transaction((tx) => deleteDueScore(tx, score, ctx.clock.now()))
  },
})
