import { inBatches } from '../../../platform/queue/in-batches.ts'
import { job } from '../../../platform/queue/job.ts'
import { deleteUnusedWebLinks } from './web-links.store.ts'
import { day } from '../../../lib/durations.ts'

/**
 * Deletes facts about URLs that are no longer attached anywhere. They could reveal what a user had attached.
 */
export const purgeLinks = job({
  kind: 'purge-links',
  every: day,
  async handle(ctx, _payload, { signal }) {
    await inBatches(ctx, signal, (tx) => deleteUnusedWebLinks(tx, ctx.clock.now() - day))
  },
})
