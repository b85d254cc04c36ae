import { job } from '../platform/queue/job.ts'

const hour = 60 * 60 * 1000

export const sweepBlobs = job({
  kind: 'sweep-blobs',
  every: 6 * hour,
  async handle(ctx, _payload, { signal }) {
    const swept = await ctx.blobs.sweep(ctx.db, signal)
    ctx.log.info(swept, 'blobs swept')
  },
})
