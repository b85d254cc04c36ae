import type { Departure, MemberEvent } from '../../../departure.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { replaceAssignmentCreator } from '../assignments/store.ts'
import { transferScore } from '../../library/scores/store.ts'
import { accountExport } from './account-export.ts'
import {
  closeLibrary,
  deleteResources,
  listAttachedBy,
  listLibraryOf,
  listCreatedBy,
  updateMaker,
} from './store.ts'

export const resourcesDeparture: Departure = {
  feature: 'teaching/resources',
  exports: accountExport,
  onMemberLeft: {
    transfer: (_ctx, tx, member) => transferResources(tx, member),
    finish: (_ctx, tx, { user }) => closeLibrary(tx, user),
  },
  erase: {
    async transfer(_ctx, tx, { organization, ...erasure }) {
      if (organization !== null) await transferResources(tx, { ...erasure, organization })
    },
    withdraw: async (_ctx, tx, { user }) => deleteResources(tx, await listLibraryOf(tx, user)),
  },
}

/**
 * Transfers the resources that a user has put into the library of the organization, and those scores of the user that the
 * user has attached there. Scores that another user attached do not pass to the new owner.
 */
async function transferResources(
  tx: Transaction,
  { user, organization, successor }: MemberEvent,
): Promise<void> {
  const created = await listCreatedBy(tx, { user, organization })
  const attached = await listAttachedBy(tx, { user, organization })
  if (created.length === 0 && attached.length === 0) return
  const to = await successor()
  const own = attached.flatMap(({ score_id, owner_id }) =>
    owner_id === user && score_id !== null ? score_id : [],
  )
  for (const score of new Set(own)) await transferScore(tx, score, { from: user, to })
  const assignments = [...created, ...attached].flatMap(({ assignment_id }) => assignment_id ?? [])
  await replaceAssignmentCreator(tx, [...new Set(assignments)], { from: user, to })
  await updateMaker(
    tx,
    created.map(({ id }) => id),
    to,
  )
}
