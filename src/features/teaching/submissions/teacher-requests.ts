import type { AssignmentSubmissionUpdate } from '../../../contract/submissions.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { fail } from '../../../errors.ts'
import type { Actor } from '../../../actor.ts'
import type { Context } from '../../../context.ts'
import type { LoadedAssignment } from '../assignments/policy.ts'
import { applyEvents, saveSubmission } from './transitions.ts'
import { deleteCopies, recomputeSubmissionGrants } from './copies.ts'
import { recordSubmissionEvents } from './events.ts'
import { teacherEvents, type TransitionContext } from './lifecycle.ts'
import { notifyReturned } from './notifications.ts'
import type { LoadedSubmission } from './policy.ts'
import { replaceSubmissionAttachments } from './attachments.store.ts'
import type { SubmissionRow } from './store.ts'
import { assignmentMaxPoints } from './worksheets.ts'

/**
 * Applies a teacher's request to a submission.
 * @throws INVALID_PARAMETER for a grade above the maximum points, a rubric with other criteria than the
 *   assignment's, and `return: false`; SUBMISSION_STATE_CONFLICT
 */
export async function applyTeacherRequest(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  { assignment, submission, schoolClass }: LoadedSubmission,
  body: AssignmentSubmissionUpdate,
): Promise<SubmissionRow> {
  const { draftGrade, return: returns, rubric } = body
  if (returns === false) refuse('return', 'cannot be undone')
  const context = transitionContext(ctx, actor, assignment)
  for (const field of ['draftGrade', 'grade'] as const) checkPoints(field, body[field], context.maxPoints)
  const sum = rubric && sumOf(rubric, assignment)
  const isOfDraft = typeof draftGrade === 'number' && typeof body.grade !== 'number'
  if (rubric && body.grade === null && !isOfDraft) refuse('rubric', 'requires a grade or a draft grade')
  const isGrade = sum !== undefined && body.grade === undefined && !isOfDraft
  if (isGrade) checkPoints('rubric', sum, context.maxPoints)
  const events = teacherEvents(
    { draftGrade, grade: isGrade ? sum : body.grade, return: returns },
    rubric && JSON.stringify(rubric),
  )
  const outcome = applyEvents(submission, events, context)
  await recordSubmissionEvents(ctx, tx, schoolClass, submission, { events, actor: actor.id })
  if (returns) await notifyReturned(ctx, tx, submission, actor.id)
  return outcome.history.length === 0 ? submission : saveSubmission(ctx, tx, submission, assignment, outcome)
}

const transitionContext = (
  { clock }: Context,
  actor: Actor,
  assignment: LoadedAssignment['assignment'],
): TransitionContext => ({ now: clock.now(), actor: actor.id, maxPoints: assignmentMaxPoints(assignment) })

/** Returns a submission to its students. */
export async function returnSubmission(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  { assignment, schoolClass }: LoadedAssignment,
  submission: SubmissionRow,
): Promise<SubmissionRow> {
  const events = teacherEvents({ return: true })
  const outcome = applyEvents(submission, events, transitionContext(ctx, actor, assignment))
  await recordSubmissionEvents(ctx, tx, schoolClass, submission, { events, actor: actor.id })
  await notifyReturned(ctx, tx, submission, actor.id)
  return saveSubmission(ctx, tx, submission, assignment, outcome)
}

/** Resets a submission so that its students start again. Only comments and history stay. */
export async function resetSubmission(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  loaded: LoadedSubmission,
): Promise<SubmissionRow> {
  const { assignment, submission } = loaded
  const events = [{ type: 'reset' }] as const
  const outcome = applyEvents(submission, events, transitionContext(ctx, actor, assignment))
  await recordSubmissionEvents(ctx, tx, loaded.schoolClass, submission, { events, actor: actor.id })
  await deleteCopies(ctx, tx, [submission.id])
  await replaceSubmissionAttachments(tx, submission.id, [])
  await recomputeSubmissionGrants(ctx, tx, loaded, submission, actor.id)
  const nothing = { exercises_ids: null, answers: null, playback: '[]', has_copies: 0 } as const
  return saveSubmission(ctx, tx, submission, assignment, outcome, nothing)
}

function checkPoints(field: string, points: number | null | undefined, maxPoints: number | null): void {
  if (typeof points === 'number' && maxPoints !== null && points > maxPoints) {
    refuse(field, `exceeds the ${maxPoints} points of the assignment`)
  }
}

/**
 * Returns the sum of the points of all criteria.
 * @throws INVALID_PARAMETER for an unknown or repeated criterion, and for too many points
 */
function sumOf(
  sent: NonNullable<AssignmentSubmissionUpdate['rubric']>,
  { rubric }: LoadedAssignment['assignment'],
): number {
  const criteria: { id: string; points: number }[] = rubric === null ? [] : JSON.parse(rubric)
  const remaining = new Map(criteria.map(({ id, points }) => [id, points]))
  let sum = 0
  for (const [index, { criterion, points }] of sent.entries()) {
    const maximum = remaining.get(criterion)
    if (maximum === undefined)
      refuse(`rubric.${index}.criterion`, 'must be a criterion of the assignment and must not be repeated')
    if (points > maximum) refuse(`rubric.${index}.points`, `exceeds the ${maximum} points of the criterion`)
    remaining.delete(criterion)
    sum += points
  }
  return Math.round(sum * 100) / 100
}

function refuse(param: string, problem: string): never {
  fail('INVALID_PARAMETER', { param, message: `\`${param}\` ${problem}.` })
}
