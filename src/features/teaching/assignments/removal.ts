import type { Transaction } from '../../../platform/db/database.ts'
import type { Context } from '../../../context.ts'
import { replaceAssignmentGrants } from '../../library/sharing/assignment-grants.store.ts'
import { deleteAssignmentRow } from './store.ts'

/** Deletes an assignment permanently, with its access grants and submissions. */
export async function removeAssignment(
  { newId, clock }: Pick<Context, 'newId' | 'clock'>,
  tx: Transaction,
  { id, creator_id: by }: { id: string; creator_id: string },
): Promise<void> {
  await replaceAssignmentGrants(tx, { assignment: id }, [], { newId, by, now: clock.now() })
  await deleteAssignmentRow(tx, id)
}
