import { job } from '../../../platform/queue/job.ts'
import { shipContent } from './shipped/ship-content.ts'
import { readShippedContent } from './shipped/shipped-content.ts'

/**
 * Installs or updates the content library that comes with Partita. A server enqueues the job when it starts.
 */
export const shipContentJob = job({
  kind: 'ship-content',
  handle: (ctx) => shipContent(ctx, readShippedContent()),
})
