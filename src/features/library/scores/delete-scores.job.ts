import { job } from '../../../platform/queue/job.ts'
import { deleteDue } from './scheduled-deletion.store.ts'
import { deleteScorePermanently } from './store.ts'
import { hour } from '../../../lib/durations.ts'

/**
 * Deletes the scores whose time in the trash is over. The job recurs, so that a score is deleted even if the
 * run that was queued for it failed.
 */
export const deleteScoresJob = job({
  kind: 'delete-scores',
  every: hour,
  handle: (ctx, _payload, { signal }) =>
    deleteDue(ctx, 'scores', signal, (id, dueBy) =>
      ctx.transaction((tx) => deleteScorePermanently(ctx, tx, { id, dueBy })),
    ),
})
