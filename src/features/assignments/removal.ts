import type { Transaction } from '../../db/database.ts'
import type { Context } from '../../operation.ts'
import { replaceAssignmentGrants } from '../scores/grants.ts'
import { deleteAssignmentRow } from './store.ts'

/** Deletes an assignment for good, with all that was given and handed in for it. */
export async function removeAssignment(
  { newId, clock }: Pick<Context, 'newId' | 'clock'>,
  tx: Transaction,
  { id, creator_id: by }: { id: string; creator_id: string },
): Promise<void> {
  await replaceAssignmentGrants(tx, { assignment: id }, [], { newId, by, now: clock.now() })
  await deleteAssignmentRow(tx, id)
}
