import type { SubmissionParams, SubmissionsParams } from '../../contract/submissions.ts'
import type { Queries } from '../../db/database.ts'
import { type FailureDetails, fail } from '../../errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Actor, Context } from '../../operation.ts'
import { isOpenToWork } from '../assignments/lifecycle.ts'
import { type LoadedAssignment, loadAssignment } from '../assignments/policy.ts'
import { canManage, canRead, checkOpen, type Standing } from '../classes/policy.ts'
import { findSubmission, type SubmissionRow } from './store.ts'

/** A submission, and what its viewer is to its class. */
export interface LoadedSubmission extends LoadedAssignment {
  submission: SubmissionRow
}

/** Its teachers and the administrators find the submissions of all; who learns in a class, their own. */
export const canTeach = canManage
const canLearn = ({ role }: Standing): boolean => role === 'student'

type Predicate = (standing: Standing, submission: SubmissionRow) => boolean

export const canFollow: Predicate = (standing, { is_own }) => canTeach(standing) || is_own === 1

/**
 * The assignment, for one of those who do their work on it, and can now.
 * @throws CLASS_ARCHIVED, ASSIGNMENT_ARCHIVED, and as `loadAssignment` does
 */
export async function loadOpenAssignment(
  ctx: Pick<Context, 'clock'>,
  queries: Queries,
  actor: Actor,
  path: SubmissionsParams,
): Promise<LoadedAssignment> {
  const loaded = await loadAssignment(ctx, queries, actor, path, canLearn)
  checkOpen(loaded.klass)
  if (!isOpenToWork(loaded.assignment.state)) fail('ASSIGNMENT_ARCHIVED')
  return loaded
}

/**
 * The submission, for someone who may do this with it.
 * @throws SUBMISSION_NOT_FOUND when there is none that the actor may see; SUBMISSION_ACCESS_DENIED when it may only be
 * seen; and as `loadAssignment` does
 */
export async function loadSubmission(
  ctx: Pick<Context, 'clock'>,
  queries: Queries,
  actor: Actor,
  path: SubmissionParams,
  can: Predicate,
  details?: FailureDetails,
): Promise<LoadedSubmission> {
  const loaded = await loadAssignment(ctx, queries, actor, path, canRead)
  const by = { id: path.submission, assignment: loaded.assignment.id, viewer: actor.id }
  const submission = isId(by.id) ? await findSubmission(queries, by) : undefined
  if (!submission || !canFollow(loaded.standing, submission)) fail('SUBMISSION_NOT_FOUND', details)
  if (!can(loaded.standing, submission)) fail('SUBMISSION_ACCESS_DENIED', details)
  return { ...loaded, submission }
}

/** The same, of one that is to be changed. @throws CLASS_ARCHIVED */
export async function loadOpenSubmission(
  ctx: Pick<Context, 'clock'>,
  queries: Queries,
  actor: Actor,
  path: SubmissionParams,
  can: Predicate,
): Promise<LoadedSubmission> {
  const loaded = await loadSubmission(ctx, queries, actor, path, can)
  checkOpen(loaded.klass)
  return loaded
}
