import { job } from '../../jobs/job.ts'
import { deleteViewsBefore, hourOf } from './views.ts'

const hour = 60 * 60 * 1000
/** Views are told apart by the hour; one more day is for clocks and processes that are behind. */
const kept = 48 * hour

/** Forgets who saw which score; how many they were stays. */
export const forgetViews = job({
  kind: 'forget-views',
  every: hour,
  async handle(ctx, _payload, { signal }) {
    await deleteViewsBefore(ctx.db, hourOf(ctx.clock.now() - kept), signal)
  },
})
