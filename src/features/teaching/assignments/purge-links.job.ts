import { job } from '../../../platform/queue/job.ts'
import { deleteUnusedWebLinks } from './store.ts'
import { day } from '../../../lib/durations.ts'

/**
 * Deletes facts about URLs that are no longer attached anywhere. They could reveal what a user had attached.
 */
export const purgeLinks = job({
  kind: 'purge-links',
  every: day,
  async handle(ctx, _payload, { signal }) {
    let hasMore = true
    while (hasMore && !signal.aborted) {
      hasMore = await ctx.transaction((tx) => deleteUnusedWebLinks(tx, ctx.clock.now() - day))
    }
  },
})
