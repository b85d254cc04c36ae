import { job } from '../../jobs/job.ts'
import { deleteExportsBefore } from './revisions.ts'

const day = 24 * 60 * 60 * 1000

/**
 * Lets go of the files that engines have made of scores: whoever asks for every choice of parts would else fill the disk.
 * What is asked for again is made again.
 */
export const forgetExports = job({
  kind: 'forget-exports',
  every: day,
  async handle(ctx, _payload, { signal }) {
    await deleteExportsBefore(ctx.db, ctx.clock.now() - ctx.config.exportDays * day, signal)
  },
})
