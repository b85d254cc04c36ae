import type { Transaction } from '../../db/database.ts'
import { updateScoreOwner } from '../scores/store.ts'

/**
 * Gives what a teacher who goes has left in classes to who owns these now: the assignments, and of the scores attached to
 * them those that were the teacher's. To be called after the classes have passed on.
 */
export async function passAssignmentsOn(tx: Transaction, teacher: string): Promise<void> {
  const left = await tx
    .selectFrom('assignments')
    .innerJoin('classes', 'classes.id', 'assignments.class_id')
    .where('assignments.creator_id', '=', teacher)
    .select(['assignments.id', 'classes.owner_id as heir'])
    .execute()
  for (const { id, heir } of left) {
    const scores = await tx
      .selectFrom('assignment_attachments')
      .innerJoin('scores', 'scores.id', 'assignment_attachments.score_id')
      .where('assignment_attachments.assignment_id', '=', id)
      .where('scores.owner_id', '=', teacher)
      .where('scores.trashed', '=', 0)
      .select('scores.id')
      .execute()
    for (const score of scores) await updateScoreOwner(tx, score.id, heir)
    await tx.updateTable('assignments').set({ creator_id: heir }).where('id', '=', id).execute()
  }
}
