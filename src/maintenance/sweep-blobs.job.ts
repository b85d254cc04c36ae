import { job } from '../platform/queue/job.ts'
import { hour } from '../lib/durations.ts'

export const sweepBlobs = job({
  kind: 'sweep-blobs',
  every: 6 * hour,
  async handle(ctx, _payload, { signal }) {
    const swept = await ctx.blobs.sweep(ctx.db, signal)
    ctx.log.info(swept, 'blobs swept')
  },
})
