import type { OrganizationRole } from '../../contract/users.ts'
import type { Transaction } from '../../db/database.ts'
import type { Context } from '../../operation.ts'
import { leaveAssignments } from '../assignments/leaving.ts'
import { followRole } from '../classes/places.ts'
import { findClass } from '../classes/store.ts'
import { findOtherMember, listGroupIds, listMembersAmong } from '../groups/store.ts'
import { deleteSubmissionGrants } from '../scores/grants.ts'
import { passScoreOn } from '../scores/store.ts'
import { deleteCopies, settleSubmissionAccess } from './copies.ts'
import { deleteAttachmentsOf, listSubmissionAttachments } from './attached.ts'
import {
  deleteCommentsOf,
  deleteSubmissionRow,
  type GroupWork,
  listGroupWork,
  listGroupWorkWith,
  listSubmissionIds,
  listWorkOf,
  updateCreator,
} from './store.ts'

type Settling = Pick<Context, 'clock' | 'newId'>

/**
 * Deletes what a student has worked on, with its comments, its history and the scores that were made for it. What others of
 * a group have part in stays theirs, but for what the student had said there and attached of their own. To be called while
 * the student still is in the groups.
 * @param classId the class that the student leaves; undefined for all
 */
export async function deleteWorkOf(
  ctx: Pick<Context, 'jobs'> & Settling,
  tx: Transaction,
  student: string,
  classId?: string,
): Promise<void> {
  const shown = await listGroupWorkWith(tx, student, classId)
  for (const { id } of shown) await deleteAttachmentsOf(tx, id, student)
  await settleWork(ctx, tx, shown)
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
  await passWorkOn(ctx, tx, student, shared)
}

/**
 * Gives what a student has begun for groups to the others, and with it the scores that were made for it: those who are left
 * go on with it. Where nobody is left, it stays the student's. To be called when the student has no more part in them.
 * @param groups those that the student has left
 */
export async function passWorkOn(
  ctx: Settling,
  tx: Transaction,
  student: string,
  groups: readonly string[],
): Promise<void> {
  const work = await listGroupWork(tx, { groups: [...new Set(groups)] })
  for (const one of work) {
    const heir = await findOtherMember(tx, one.group_id, student)
    if (!heir) continue
    await passCopiesOn(tx, one.id, { from: student, to: heir })
    if (one.creator_id === student) await updateCreator(tx, one.id, heir)
  }
  await settleWork(ctx, tx, work)
}

/**
 * Gives somebody who joins a group part in what it has worked on: what was left by all others belongs to the one who joins.
 */
export async function shareWork(ctx: Settling, tx: Transaction, student: string, group: string): Promise<void> {
  const work = await listGroupWork(tx, { groups: [group] })
  for (const { id, creator_id: from } of work) {
    if ((await listMembersAmong(tx, group, [from])).size > 0) continue
    await passCopiesOn(tx, id, { from, to: student })
    await updateCreator(tx, id, student)
  }
  await settleWork(ctx, tx, work)
}

/** Does as `passWorkOn` with all groups of somebody who is removed but may come back: the others do not wait for that. */
export async function passAllWorkOn(ctx: Settling, tx: Transaction, student: string): Promise<void> {
  await passWorkOn(ctx, tx, student, (await listGroupIds(tx, [student])).get(student) ?? [])
}

async function passCopiesOn(tx: Transaction, submission: string, who: { from: string; to: string }): Promise<void> {
  const attached = (await listSubmissionAttachments(tx, [submission])).get(submission) ?? []
  for (const { score_id, score_owner, dedicated } of attached) {
    if (score_id !== null && dedicated && score_owner === who.from) await passScoreOn(tx, score_id, who)
  }
}

/** Makes anew the access to what groups have worked on, after who they are has changed, or whether they still work. */
export async function settleWork(ctx: Settling, tx: Transaction, work: readonly GroupWork[]): Promise<void> {
  const classes = new Map<string, Awaited<ReturnType<typeof findClass>>>()
  for (const one of work) {
    const { class_id: id, assignment_id, assignment_state: state } = one
    if (!classes.has(id)) classes.set(id, await findClass(tx, { id, viewer: '' }))
    const klass = classes.get(id)
    if (!klass) continue
    await settleSubmissionAccess(ctx, tx, { klass, assignment: { id: assignment_id, state } }, one, one.creator_id)
  }
}

/**
 * Puts somebody whose role in the organization has changed where such people are in their classes, and leaves what was done
 * in groups to those who stay in them.
 * @param heir who gets the classes that nobody else teaches
 */
export async function changePlaces(
  ctx: Settling,
  tx: Transaction,
  who: { user: string; by: string | null },
  role: OrganizationRole,
  heir: () => Promise<string>,
): Promise<void> {
  await leaveAssignments(tx, who.user)
  await passWorkOn(ctx, tx, who.user, await followRole(ctx, tx, who, role, heir))
}

/** Takes back what submissions to an assignment have given, and deletes the scores that were made for them: they go with it. */
export async function deleteWorkOn(ctx: Pick<Context, 'jobs'>, tx: Transaction, assignment: string): Promise<void> {
  const submissions = await listSubmissionIds(tx, assignment)
  await deleteSubmissionGrants(tx, submissions)
  await deleteCopies(ctx, tx, submissions)
}
