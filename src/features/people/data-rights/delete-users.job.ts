import { job } from '../../../platform/queue/job.ts'
import { deleteDue } from '../../library/scores/scheduled-deletion.store.ts'
import { deleteAccount } from './erasure.ts'
import { hour } from '../../../lib/durations.ts'

/**
 * Deletes removed accounts after their retention period. docs/data-rights.md lists what is deleted with them.
 */
export const deleteUsersJob = job({
  kind: 'delete-users',
  every: hour,
  handle: (ctx, _payload, { signal }) => deleteDue(ctx, 'users', signal, (id) => deleteAccount(ctx, id)),
})
