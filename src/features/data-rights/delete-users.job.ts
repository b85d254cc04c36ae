import { job } from '../../jobs/job.ts'
import { deleteDue } from '../scores/due.ts'
import { deleteAccount } from './erasure.ts'

const hour = 60 * 60 * 1000

/** Deletes the removed accounts whose time is over, with what docs/data-rights.md says goes with them. */
export const deleteUsersJob = job({
  kind: 'delete-users',
  every: hour,
  handle: (ctx, _payload, { signal }) => deleteDue(ctx, 'users', signal, (id) => deleteAccount(ctx, id)),
})
