import type { Transaction } from '../../db/database.ts'
import { updateScoreOwner } from '../scores/store.ts'
import { listAttachedOf } from './attached.ts'
import { listMadeBy, updateAssignmentCreator } from './store.ts'

/**
 * Gives what a teacher who goes has left in classes to who owns these now: the assignments, and of the scores attached to
 * them those that were the teacher's. To be called after the classes have passed on.
 */
export async function passAssignmentsOn(tx: Transaction, teacher: string): Promise<void> {
  for (const { id, heir } of await listMadeBy(tx, teacher)) {
    for (const score of await listAttachedOf(tx, id, teacher)) await updateScoreOwner(tx, score, heir)
    await updateAssignmentCreator(tx, id, heir)
  }
}
