import { hour } from '../../../lib/durations.ts'
import { job } from '../../../platform/queue/job.ts'
import { deleteUpload } from './deletion.ts'
import { uploadLifetime } from './policy.ts'
import { findUpload, listExpiredUploads } from './store.ts'

const batchSize = 100

/** Deletes the uploads that no track has got in time. */
export const purgeUploads = job({
  kind: 'purge-uploads',
  every: hour,
  async handle(ctx, _payload, { signal }) {
    const createdUntil = ctx.clock.now() - uploadLifetime
    for (let found = batchSize; found === batchSize && !signal.aborted; ) {
      const expired = await listExpiredUploads(ctx.db.read, { createdUntil, limit: batchSize })
      for (const { id, user_id: user } of expired) {
        await ctx.transaction(async (tx) => {
          const upload = await findUpload(tx, { id, user })
          if (upload) await deleteUpload(ctx, tx, upload)
        })
      }
      found = expired.length
    }
  },
})
