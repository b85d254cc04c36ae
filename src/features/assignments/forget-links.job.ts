import { job } from '../../jobs/job.ts'
import { deleteUnusedWebLinks } from './store.ts'

const day = 24 * 60 * 60 * 1000

/** Forgets what was said of addresses that stand nowhere any more, which could tell of who had attached them. */
export const forgetLinks = job({
  kind: 'forget-links',
  every: day,
  async handle(ctx, _payload, { signal }) {
    let hasMore = true
    while (hasMore && !signal.aborted) {
      hasMore = await ctx.transaction((tx) => deleteUnusedWebLinks(tx, ctx.clock.now() - day))
    }
  },
})
