import { job } from '../../../platform/queue/job.ts'
import { deleteExportsBefore } from './revisions.store.ts'
import { day } from '../../../lib/durations.ts'

/**
 * Deletes old rendered exports. Without this job, a client that requests every combination of parts could
 * fill the disk. A deleted export is rendered again at the next request.
 */
export const purgeExports = job({
  kind: 'purge-exports',
  every: day,
  async handle(ctx, _payload, { signal }) {
    await deleteExportsBefore(ctx.db, ctx.clock.now() - ctx.config.exportDays * day, signal)
  },
})
