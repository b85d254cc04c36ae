import type { Transaction } from '../../../platform/db/database.ts'
import type { Context } from '../../../context.ts'
import { findClass } from '../classes/store.ts'
import { findOtherMember, listMembersAmong } from '../../people/groups/store.ts'
import { deleteSubmissionGrants } from '../../library/sharing/assignment-grants.store.ts'
import { transferScore } from '../../library/scores/store.ts'
import { deleteCopies, recomputeSubmissionGrants } from './copies.ts'
import { deleteAttachmentsOf, listSubmissionAttachments } from './attachments.store.ts'
import { type GroupWork, listGroupWork, listGroupWorkWith } from './group-work.store.ts'
import {
  deleteCommentsOf,
  deleteSubmissionRow,
  listSubmissionIds,
  listWorkOf,
  updateCreator,
} from './store.ts'

type AccessContext = Pick<Context, 'clock' | 'newId'>

/**
 * Deletes a student's own work with its comments, its history and the scores that were created for it. Work that the
 * student shares with other members of a group stays, without the student's comments and attachments. Call it before
 * the student is removed from the groups.
 * @param classId the class that the student leaves; undefined for all classes
 */
export async function deleteWorkOf(
  ctx: Pick<Context, 'jobs'> & AccessContext,
  tx: Transaction,
  student: string,
  classId?: string,
): Promise<void> {
  const shown = await listGroupWorkWith(tx, student, classId)
  for (const { id } of shown) await deleteAttachmentsOf(tx, id, student)
  await updateWorkAccess(ctx, tx, shown)
  const work = await listWorkOf(tx, student, classId)
  const shared: string[] = []
  for (const { id, group_id } of work) {
    if (group_id !== null && (await findOtherMember(tx, group_id, student))) {
      shared.push(group_id)
      await deleteCommentsOf(tx, id, student)
    } else {
      await deleteSubmissionGrants(tx, [id])
      await deleteCopies(ctx, tx, [id])
      await deleteSubmissionRow(tx, id)
    }
  }
  await transferGroupWork(ctx, tx, student, shared)
}

/**
 * Transfers group work that a student started, and the scores that were created for it, to another member of each
 * group. If a group has no other member, the work stays with the student. Call it after the student has left the groups.
 * @param groups the groups that the student has left
 */
export async function transferGroupWork(
  ctx: AccessContext,
  tx: Transaction,
  student: string,
  groups: readonly string[],
): Promise<void> {
  const work = await listGroupWork(tx, { groups: [...new Set(groups)] })
  for (const submission of work) {
    const successor = await findOtherMember(tx, submission.group_id, student)
    if (!successor) continue
    await transferCopies(tx, submission.id, { from: student, to: successor })
    if (submission.creator_id === student) await updateCreator(tx, submission.id, successor)
  }
  await updateWorkAccess(ctx, tx, work)
}

/**
 * Gives a student who joins groups access to their work. Work whose creator is no longer a member of its group is
 * transferred to the student.
 */
export async function shareWork(
  ctx: AccessContext,
  tx: Transaction,
  student: string,
  groups: readonly string[],
): Promise<void> {
  const work = await listGroupWork(tx, { groups })
  for (const { id, creator_id: from, group_id } of work) {
    if ((await listMembersAmong(tx, group_id, [from])).size > 0) continue
    await transferCopies(tx, id, { from, to: student })
    await updateCreator(tx, id, student)
  }
  await updateWorkAccess(ctx, tx, work)
}

async function transferCopies(
  tx: Transaction,
  submission: string,
  transfer: { from: string; to: string },
): Promise<void> {
  const attached = (await listSubmissionAttachments(tx, [submission])).get(submission) ?? []
  for (const { score_id, score_owner, dedicated } of attached) {
    if (score_id !== null && dedicated && score_owner === transfer.from)
      await transferScore(tx, score_id, transfer)
  }
}

/** Updates the access to group work after the members of a group or the state of its work have changed. */
export async function updateWorkAccess(
  ctx: AccessContext,
  tx: Transaction,
  work: readonly GroupWork[],
): Promise<void> {
  const classes = new Map<string, Awaited<ReturnType<typeof findClass>>>()
  for (const submission of work) {
    const { class_id: id, assignment_id, assignment_state: state } = submission
    if (!classes.has(id)) classes.set(id, await findClass(tx, { id, viewer: '' }))
    const schoolClass = classes.get(id)
    if (!schoolClass) continue
    await recomputeSubmissionGrants(
      ctx,
      tx,
      { schoolClass, assignment: { id: assignment_id, state } },
      submission,
      submission.creator_id,
    )
  }
}

/** Takes back what submissions to an assignment have given, and deletes the scores that were made for them: they go with it. */
export async function deleteWorkOn(
  ctx: Pick<Context, 'jobs'>,
  tx: Transaction,
  assignment: string,
): Promise<void> {
  const submissions = await listSubmissionIds(tx, assignment)
  await deleteSubmissionGrants(tx, submissions)
  await deleteCopies(ctx, tx, submissions)
}
