import { job } from '../../jobs/job.ts'
import { shipContent } from './shipped/ship-content.ts'
import { contentVersion, shippedContent } from './shipped/shipped-content.ts'

/** Fills the library that comes with Partita; asked for when a server starts. */
export const shipContentJob = job({
  kind: 'ship-content',
  handle: (ctx) => shipContent(ctx, { version: contentVersion, assignments: shippedContent }),
})
