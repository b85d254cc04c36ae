import type { Transaction } from '../../db/database.ts'
import type { Context } from '../../operation.ts'
import { findOtherMember } from '../groups/store.ts'
import { deleteSubmissionGrants } from '../scores/grants.ts'
import { passScoreOn } from '../scores/store.ts'
import { deleteCopies } from './copies.ts'
import {
  deleteSubmissionRow,
  listSubmissionAttachments,
  listSubmissionIds,
  listWorkOf,
  updateCreator,
} from './store.ts'

/**
 * Deletes what a student has worked on, with its comments, its history and the scores that were made for it. What others of
 * a group have part in stays theirs. To be called while the student still is in the groups.
 * @param classId the class that the student leaves; undefined for all
 */
export async function deleteWorkOf(
  ctx: Pick<Context, 'jobs'>,
  tx: Transaction,
  student: string,
  classId?: string,
): Promise<void> {
  const work = await listWorkOf(tx, student, classId)
  for (const { id, creator_id, group_id } of work) {
    const heir = group_id === null ? undefined : await findOtherMember(tx, group_id, student)
    if (heir) await passOn(tx, id, { from: student, to: heir, began: creator_id === student })
    else {
      await deleteSubmissionGrants(tx, [id])
      await deleteCopies(ctx, tx, [id])
      await deleteSubmissionRow(tx, id)
    }
  }
}

async function passOn(
  tx: Transaction,
  submission: string,
  { from, to, began }: { from: string; to: string; began: boolean },
): Promise<void> {
  const attached = (await listSubmissionAttachments(tx, [submission])).get(submission) ?? []
  for (const { score_id, score_owner, dedicated } of attached) {
    if (score_id !== null && dedicated && score_owner === from) await passScoreOn(tx, score_id, { from, to })
  }
  if (began) await updateCreator(tx, submission, to)
  await tx
    .deleteFrom('submission_comments')
    .where('submission_id', '=', submission)
    .where('user_id', '=', from)
    .execute()
}

/** Takes back what submissions to an assignment have given, and deletes the scores that were made for them: they go with it. */
export async function deleteWorkOn(ctx: Pick<Context, 'jobs'>, tx: Transaction, assignment: string): Promise<void> {
  const submissions = await listSubmissionIds(tx, assignment)
  await deleteSubmissionGrants(tx, submissions)
  await deleteCopies(ctx, tx, submissions)
}
