import { job } from '../../../platform/queue/job.ts'
import { deleteDue } from '../scores/scheduled-deletion.store.ts'
import { deleteDueCollection } from './store.ts'
import { hour } from '../../../lib/durations.ts'

/** Deletes the collections whose time in the trash is over. The scores in them are not deleted. */
export const deleteCollectionsJob = job({
  kind: 'delete-collections',
  every: hour,
  handle: (ctx, _payload, { signal }) =>
    deleteDue(ctx, 'collections', signal, (id, dueBy) =>
      ctx.transaction((tx) => deleteDueCollection(tx, { id, dueBy })),
    ),
})
