import type { Transaction } from '../../db/database.ts'
import { deleteAssignmentGrantsOf } from '../scores/grants.ts'
import { deleteAssignee } from './store.ts'

/**
 * Lets no assignment name somebody who learns no more in a class, or in any. What they had through its groups goes with the
 * groups.
 */
export async function leaveAssignments(tx: Transaction, user: string, classId?: string): Promise<void> {
  await deleteAssignmentGrantsOf(tx, user, await deleteAssignee(tx, user, classId))
}
