import { job } from '../../jobs/job.ts'
import { emptyTrash } from '../scores/due.ts'

const hour = 60 * 60 * 1000

/** Deletes the collections whose time in the trash is over. The scores in them stay where else they are. */
export const deleteCollectionsJob = job({
  kind: 'delete-collections',
  every: hour,
  handle: (ctx, _payload, { signal }) => emptyTrash(ctx, 'collections', signal),
})
