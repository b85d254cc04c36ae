import type { AssignmentSubmissionUpdate } from '../../contract/submissions.ts'
import type { Transaction } from '../../db/database.ts'
import { fail } from '../../errors.ts'
import type { Actor, Context } from '../../operation.ts'
import type { LoadedAssignment } from '../assignments/policy.ts'
import { runThrough, saveSubmission } from './changes.ts'
import { deleteCopies, settleSubmissionAccess } from './copies.ts'
import { asTeacher, type Circumstances } from './lifecycle.ts'
import type { LoadedSubmission } from './policy.ts'
import { replaceSubmissionAttachments } from './attached.ts'
import type { SubmissionRow } from './store.ts'
import { pointsOf } from './worksheets.ts'

/**
 * Does to a submission what a teacher's body asks for.
 * @throws INVALID_PARAMETER for a grade above what can be reached, for a rubric that is not the assignment's, and for
 * `return: false`; SUBMISSION_STATE_CONFLICT
 */
export async function gradeSubmission(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  { assignment, submission }: LoadedSubmission,
  body: AssignmentSubmissionUpdate,
): Promise<SubmissionRow> {
  const { draftGrade, return: returns, rubric } = body
  if (returns === false) refuse('return', 'cannot be taken back')
  const circumstances = circumstancesOf(ctx, actor, assignment)
  for (const field of ['draftGrade', 'grade'] as const) checkPoints(field, body[field], circumstances.maxPoints)
  const sum = rubric && sumOf(rubric, assignment)
  const isOfDraft = typeof draftGrade === 'number' && typeof body.grade !== 'number'
  if (rubric && body.grade === null && !isOfDraft) refuse('rubric', 'needs a grade or a draft that it belongs to')
  const isGrade = sum !== undefined && body.grade === undefined && !isOfDraft
  if (isGrade) checkPoints('rubric', sum, circumstances.maxPoints)
  const asked = asTeacher(
    { draftGrade, grade: isGrade ? sum : body.grade, return: returns },
    rubric && JSON.stringify(rubric),
  )
  const outcome = runThrough(submission, asked, circumstances)
  return outcome.happened.length === 0 ? submission : saveSubmission(ctx, tx, submission, assignment, outcome)
}

const circumstancesOf = (
  { clock }: Context,
  actor: Actor,
  assignment: LoadedAssignment['assignment'],
): Circumstances => ({ now: clock.now(), actor: actor.id, maxPoints: pointsOf(assignment) })

/** Gives a submission back to its students. */
export async function returnSubmission(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  { assignment }: LoadedAssignment,
  submission: SubmissionRow,
): Promise<SubmissionRow> {
  const outcome = runThrough(submission, asTeacher({ return: true }), circumstancesOf(ctx, actor, assignment))
  return saveSubmission(ctx, tx, submission, assignment, outcome)
}

/** Lets the students of a submission begin again: nothing of it stays but its comments and its history. */
export async function resetSubmission(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  loaded: LoadedSubmission,
): Promise<SubmissionRow> {
  const { assignment, submission } = loaded
  const outcome = runThrough(submission, [{ event: 'reset' }], circumstancesOf(ctx, actor, assignment))
  await deleteCopies(ctx, tx, [submission.id])
  await replaceSubmissionAttachments(tx, submission.id, [])
  await settleSubmissionAccess(ctx, tx, loaded, submission, actor.id)
  const nothing = { exercises_ids: null, answers: null, playback: '[]', has_copies: 0 } as const
  return saveSubmission(ctx, tx, submission, assignment, outcome, nothing)
}

function checkPoints(field: string, points: number | null | undefined, maxPoints: number | null): void {
  if (typeof points === 'number' && maxPoints !== null && points > maxPoints) {
    refuse(field, `is more than the ${maxPoints} points of the assignment`)
  }
}

/** What was given by each criterion, together. */
function sumOf(
  given: NonNullable<AssignmentSubmissionUpdate['rubric']>,
  { rubric }: LoadedAssignment['assignment'],
): number {
  const criteria: { id: string; points: number }[] = rubric === null ? [] : JSON.parse(rubric)
  const left = new Map(criteria.map(({ id, points }) => [id, points]))
  let sum = 0
  for (const [index, { criterion, points }] of given.entries()) {
    const most = left.get(criterion)
    if (most === undefined) refuse(`rubric.${index}.criterion`, 'is none of the assignment, or stands there twice')
    if (points > most) refuse(`rubric.${index}.points`, `is more than the ${most} points of the criterion`)
    left.delete(criterion)
    sum += points
  }
  return Math.round(sum * 100) / 100
}

function refuse(param: string, what: string): never {
  fail('INVALID_PARAMETER', { param, message: `\`${param}\` ${what}.` })
}
