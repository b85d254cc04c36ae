import type { Transaction } from '../../../platform/db/database.ts'
import type { Context } from '../../../context.ts'
import type { AssignmentsTable } from '../../../platform/db/school-tables.ts'
import { isOpenToWork } from '../assignments/lifecycle.ts'
import type { LoadedAssignment } from '../assignments/policy.ts'
import { listAttachments } from '../assignments/attachments.store.ts'
import { insertCopy, insertNewScore } from '../../library/collections/new-score.ts'
import type { AppCaller } from '../../library/collections/policy.ts'
import { isReadOnly } from '../classes/lifecycle.ts'
import type { ClassRow } from '../classes/store.ts'
import { listMembersAmong } from '../../people/groups/store.ts'
import { type Contents, contentsOfBuilder } from '../../library/scores/contents.ts'
import {
  type AssignmentGrant,
  replaceAssignmentGrants,
} from '../../library/sharing/assignment-grants.store.ts'
import { findScore } from '../../library/scores/store.ts'
import { immediateDeletion, scheduleImmediateDeletion } from '../../library/scores/trash.store.ts'
import {
  emptyAttachment,
  listCopies,
  listSubmissionAttachments,
  type NewAttachment,
} from './attachments.store.ts'
import type { SubmissionRow } from './store.ts'

/** Whether the students of an assignment start with an empty score. */
export const startsWithBlankScore = ({ assignment }: LoadedAssignment): boolean =>
  assignment.type === 'newScore'

/** Creates the contents of that empty score. The caller inserts the rows. */
export const createBlankContents = (ctx: Context, title: string): Promise<Contents> =>
  contentsOfBuilder(ctx, { scoreData: { instruments: [{ group: 'keyboards', instrument: 'piano' }] } }, title)

const newDedicated = (score_id: string): NewAttachment => ({
  ...emptyAttachment,
  score_id,
  sharing_mode: 'copy',
  dedicated: 1,
})

/**
 * Creates the scores that a student starts to work in: a copy of each template of the assignment, and an
 * empty score if the assignment asks for one. Scores whose deletion has started are not copied.
 * @param blank the contents of the empty score; undefined if the assignment does not start with one
 */
export async function makeCopies(
  ctx: Context,
  tx: Transaction,
  owner: AppCaller,
  { assignment }: LoadedAssignment,
  blank: Contents | undefined,
): Promise<NewAttachment[]> {
  const attachments: NewAttachment[] = []
  if (blank) {
    const options = { title: assignment.title, privacy: 'private', collection: undefined } as const
    attachments.push(newDedicated((await insertNewScore(ctx, tx, owner, blank, options)).score))
  }
  const attached = (await listAttachments(tx, [assignment.id])).get(assignment.id) ?? []
  for (const {
    score_id,
    sharing_mode,
    teacher_only,
    lock_score_template,
    part_uuid,
    revision_id,
  } of attached) {
    if (score_id === null || sharing_mode !== 'copy' || teacher_only) continue
    const row = await findScore(tx, { id: score_id, viewer: owner.id, organization: '' })
    if (!row || row.score.deletion_at === immediateDeletion) continue
    const { title } = row.score
    const options = { title, collection: undefined, revision: revision_id }
    const { score } = await insertCopy(ctx, tx, owner, row.score, options)
    attachments.push({ ...newDedicated(score), lock_score_template, part_uuid })
  }
  return attachments
}

/** Deletes the scores that were created for these submissions. The attachment rows are deleted with them. */
export async function deleteCopies(
  ctx: Pick<Context, 'jobs'>,
  tx: Transaction,
  submissions: readonly string[],
): Promise<void> {
  const copies = await listCopies(tx, submissions)
  if (copies.length === 0) return
  await scheduleImmediateDeletion(tx, copies)
  await ctx.jobs.enqueue(tx, { kind: 'delete-scores', payload: {} })
}

/** The class and assignment that decide who has access to the scores of a submission. */
export interface AccessContext {
  schoolClass: Pick<ClassRow, 'teachers_group_id' | 'state'>
  assignment: Pick<AssignmentsTable, 'id' | 'state'>
}

/**
 * Replaces the access grants of a submission. The teachers of the class can read the copies and the scores
 * that students attached themselves. The members of the group can read them too, and can edit the copies
 * while the assignment and the class are open.
 */
export async function recomputeSubmissionGrants(
  { clock, newId }: Pick<Context, 'clock' | 'newId'>,
  tx: Transaction,
  { schoolClass, assignment }: AccessContext,
  { id, creator_id, group_id }: Pick<SubmissionRow, 'id' | 'creator_id' | 'group_id'>,
  by: string,
): Promise<void> {
  const attached = (await listSubmissionAttachments(tx, [id])).get(id) ?? []
  const owners = attached.flatMap(({ score_owner }) => score_owner ?? [])
  const students = group_id === null ? new Set([creator_id]) : await listMembersAmong(tx, group_id, owners)
  const isOpen = isOpenToWork(assignment.state) && !isReadOnly(schoolClass.state)
  const grants: AssignmentGrant[] = []
  for (const { score_id: score, score_owner, dedicated, by_owner } of attached) {
    if (score === null || score_owner === null) continue
    // A student who can only read a score must not share it: only an attachment made by the owner grants
    // access.
    if (!dedicated && !by_owner) continue
    grants.push({ score, holder: { group: schoolClass.teachers_group_id }, level: 1 })
    if (group_id === null || (!dedicated && !students.has(score_owner))) continue
    grants.push({ score, holder: { group: group_id }, level: dedicated && isOpen ? 2 : 1 })
  }
  const from = { assignment: assignment.id, submission: id }
  await replaceAssignmentGrants(tx, from, grants, { newId, by, now: clock.now() })
}
