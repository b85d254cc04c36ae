import type { Transaction } from '../../db/database.ts'
import type { Context } from '../../operation.ts'
import type { AssignmentsTable } from '../../db/school-tables.ts'
import { isOpenToWork } from '../assignments/lifecycle.ts'
import type { LoadedAssignment } from '../assignments/policy.ts'
import { listAttachments } from '../assignments/attached.ts'
import { insertCopy, insertNewScore } from '../collections/new-score.ts'
import type { Placing } from '../collections/policy.ts'
import { isReadOnly } from '../classes/lifecycle.ts'
import type { ClassRow } from '../classes/store.ts'
import { listMembersAmong } from '../groups/store.ts'
import { type Contents, contentsOfBuilder } from '../scores/contents.ts'
import { type AssignmentGrant, replaceAssignmentGrants } from '../scores/grants.ts'
import { atOnce, deleteScoresAtOnce, findScore } from '../scores/store.ts'
import { emptyAttachment, listCopies, listSubmissionAttachments, type NewAttachment } from './attached.ts'
import type { SubmissionRow } from './store.ts'

/** Whether those who work on an assignment begin with an empty score. */
export const beginsBlank = ({ assignment }: LoadedAssignment): boolean => assignment.type === 'newScore'

/** The empty score that they begin with, but for its rows. */
export const blankScore = (ctx: Context, title: string): Promise<Contents> =>
  contentsOfBuilder(ctx, { scoreData: { instruments: [{ group: 'keyboards', instrument: 'piano' }] } }, title)

const dedicated = (score_id: string): NewAttachment => ({
  ...emptyAttachment,
  score_id,
  sharing_mode: 'copy',
  dedicated: 1,
})

/**
 * Makes the scores that somebody begins to work in: a copy of each that is attached for that, and an empty one. A score that
 * is being deleted is not copied any more.
 * @param blank what the empty one has; undefined where they do not begin with one
 */
export async function makeCopies(
  ctx: Context,
  tx: Transaction,
  owner: Placing,
  { assignment }: LoadedAssignment,
  blank: Contents | undefined,
): Promise<NewAttachment[]> {
  const made: NewAttachment[] = []
  if (blank) {
    const about = { title: assignment.title, privacy: 'private', collection: undefined } as const
    made.push(dedicated((await insertNewScore(ctx, tx, owner, blank, about)).score))
  }
  const attached = (await listAttachments(tx, [assignment.id])).get(assignment.id) ?? []
  for (const { score_id, sharing_mode, teacher_only, lock_score_template, part_uuid, revision_id } of attached) {
    if (score_id === null || sharing_mode !== 'copy' || teacher_only) continue
    const found = await findScore(tx, { id: score_id, viewer: owner.id, organization: '' })
    if (!found || found.score.deletion_at === atOnce) continue
    const { title } = found.score
    const about = { title, collection: undefined, revision: revision_id }
    const { score } = await insertCopy(ctx, tx, owner, found.score, about)
    made.push({ ...dedicated(score), lock_score_template, part_uuid })
  }
  return made
}

/** Deletes the scores that were made for these submissions; the rows that name them go along. */
export async function deleteCopies(
  ctx: Pick<Context, 'jobs'>,
  tx: Transaction,
  submissions: readonly string[],
): Promise<void> {
  const copies = await listCopies(tx, submissions)
  if (copies.length === 0) return
  await deleteScoresAtOnce(tx, copies)
  await ctx.jobs.enqueue(tx, { kind: 'delete-scores', payload: {} })
}

/** What decides who has access to what a submission has. */
export interface Settled {
  klass: Pick<ClassRow, 'teachers_group_id' | 'state'>
  assignment: Pick<AssignmentsTable, 'id' | 'state'>
}

/**
 * Gives those who are to see what a submission has the access to it, and takes back what it does not need any more: the
 * teachers of the class read what was made for it and what students have attached of their own, and the group has part in
 * that. While work is done, it writes together what was made for it.
 */
export async function settleSubmissionAccess(
  { clock, newId }: Pick<Context, 'clock' | 'newId'>,
  tx: Transaction,
  { klass, assignment }: Settled,
  { id, creator_id, group_id }: Pick<SubmissionRow, 'id' | 'creator_id' | 'group_id'>,
  by: string,
): Promise<void> {
  const attached = (await listSubmissionAttachments(tx, [id])).get(id) ?? []
  const owners = attached.flatMap(({ score_owner }) => score_owner ?? [])
  const students = group_id === null ? new Set([creator_id]) : await listMembersAmong(tx, group_id, owners)
  const isOpen = isOpenToWork(assignment.state) && !isReadOnly(klass.state)
  const wanted: AssignmentGrant[] = []
  for (const { score_id: score, score_owner, dedicated, by_owner } of attached) {
    if (score === null || score_owner === null) continue
    // Who was only shown a score does not hand it on: its owner does, by attaching it.
    if (!dedicated && !by_owner) continue
    wanted.push({ score, holder: { group: klass.teachers_group_id }, level: 1 })
    if (group_id === null || (!dedicated && !students.has(score_owner))) continue
    wanted.push({ score, holder: { group: group_id }, level: dedicated && isOpen ? 2 : 1 })
  }
  const from = { assignment: assignment.id, submission: id }
  await replaceAssignmentGrants(tx, from, wanted, { newId, by, now: clock.now() })
}
