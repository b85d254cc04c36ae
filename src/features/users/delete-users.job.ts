import { job } from '../../jobs/job.ts'
import type { Context } from '../../operation.ts'
import { passAssignmentsOn } from '../assignments/passing-on.ts'
import { passClassesOn } from '../classes/places.ts'
import { deleteCollectionsOf } from '../collections/store.ts'
import { deleteLibraryOf, passResourcesOn } from '../edu-resources/passing.ts'
import { deleteMemberships } from '../groups/store.ts'
import { findHeir } from '../organizations/roles.ts'
import { deleteCommentsOf } from '../score-comments/store.ts'
import { deleteTracksOf } from '../score-tracks/store.ts'
import { deleteDue } from '../scores/due.ts'
import { deleteGrantsOfUser } from '../scores/grants.ts'
import { deleteLikesOf } from '../scores/likes.ts'
import { deleteSomeScoresOf } from '../scores/store.ts'
import { deleteWorkOf } from '../submissions/removal.ts'
import { deleteTasksOf } from '../tasks/store.ts'
import { deleteUser, findDueUser } from './store.ts'

const hour = 60 * 60 * 1000

/** Deletes the removed accounts whose time is over, with what docs/roles.md says goes with them. */
export const deleteUsersJob = job({
  kind: 'delete-users',
  every: hour,
  handle: (ctx, _payload, { signal }) => deleteDue(ctx, 'users', signal, (id) => deleteAccount(ctx, id)),
})

async function deleteAccount(ctx: Context, id: string): Promise<void> {
  const due = { id, now: ctx.clock.now() }
  await ctx.transaction(async (tx) => {
    const user = await findDueUser(tx, due)
    if (!user) return
    const { organization_id: organization, removed_by: by } = user
    if (organization) {
      const heir = () => findHeir(tx, organization, { of: id, by })
      await passClassesOn(ctx, tx, id, heir)
      await passResourcesOn(tx, { user: id, organization }, heir)
    }
    await passAssignmentsOn(tx, id)
    await deleteWorkOf(ctx, tx, id)
    await deleteLibraryOf(tx, id)
  })
  // A few scores in each transaction, so that none is long: once due, an account cannot be restored.
  const deleteSome = () =>
    ctx.transaction(async (tx) => ((await findDueUser(tx, due)) ? deleteSomeScoresOf(tx, id) : 0))
  while ((await deleteSome()) > 0);
  await ctx.transaction(async (tx) => {
    if (!(await findDueUser(tx, due))) return
    await deleteMemberships(tx, id)
    await deleteLikesOf(tx, id)
    await deleteCommentsOf(tx, id)
    await deleteGrantsOfUser(tx, id)
    await deleteTracksOf(tx, id)
    await deleteTasksOf(tx, id)
    await deleteCollectionsOf(tx, id)
    await deleteUser(tx, id)
  })
}
