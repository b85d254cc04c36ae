import { job } from '../../jobs/job.ts'
import { emptyTrash } from './due.ts'

const hour = 60 * 60 * 1000

/**
 * Deletes the scores whose time in the trash is over. It recurs, so that none is forgotten whatever became of the run that
 * it was meant for.
 */
export const deleteScoresJob = job({
  kind: 'delete-scores',
  every: hour,
  handle: (ctx, _payload, { signal }) => emptyTrash(ctx, 'scores', signal),
})
