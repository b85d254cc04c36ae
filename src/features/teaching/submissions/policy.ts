import type { SubmissionParams, SubmissionsParams } from '../../../contract/submissions.ts'
import type { Queries } from '../../../platform/db/database.ts'
import { fail } from '../../../errors.ts'
import { isId } from '../../../lib/ids.ts'
import type { Actor } from '../../../actor.ts'
import type { Context } from '../../../context.ts'
import { isOpenToWork } from '../assignments/lifecycle.ts'
import { type LoadedAssignment, loadAssignment } from '../assignments/policy.ts'
import { canManage, canRead, checkOpen, type ClassRelation } from '../classes/policy.ts'
import { findSubmission, type SubmissionRow } from './store.ts'

/** A submission with its assignment and the viewer's relation to the class. */
export interface LoadedSubmission extends LoadedAssignment {
  submission: SubmissionRow
}

/** Teachers of the class and administrators have access to all submissions, students only to their own. */
export const canTeach = canManage
const canLearn = ({ role }: ClassRelation): boolean => role === 'student'

type Predicate = (relation: ClassRelation, submission: SubmissionRow) => boolean

export const canFollow: Predicate = (relation, { is_own }) => canTeach(relation) || is_own === 1

/**
 * Loads an assignment for a student who wants to work on it.
 * @throws CLASS_ARCHIVED, ASSIGNMENT_ARCHIVED, and the errors of `loadAssignment`
 */
export async function loadOpenAssignment(
  ctx: Pick<Context, 'clock'>,
  queries: Queries,
  actor: Actor,
  path: SubmissionsParams,
): Promise<LoadedAssignment> {
  const loaded = await loadAssignment(ctx, queries, actor, path, canLearn)
  checkOpen(loaded.schoolClass)
  if (!isOpenToWork(loaded.assignment.state)) fail('ASSIGNMENT_ARCHIVED')
  return loaded
}

/**
 * Loads a submission and checks that `can` permits the actor's action.
 * @throws SUBMISSION_NOT_FOUND when the actor cannot see a submission with this id; SUBMISSION_ACCESS_DENIED
 *   when the actor can only read it; and the errors of `loadAssignment`
 */
export async function loadSubmission(
  ctx: Pick<Context, 'clock'>,
  queries: Queries,
  actor: Actor,
  path: SubmissionParams,
  can: Predicate,
): Promise<LoadedSubmission> {
  const loaded = await loadAssignment(ctx, queries, actor, path, canRead)
  const by = { id: path.submission, assignment: loaded.assignment.id, viewer: actor.id }
  const submission = isId(by.id) ? await findSubmission(queries, by) : undefined
  if (!submission || !canFollow(loaded.relation, submission)) fail('SUBMISSION_NOT_FOUND')
  if (!can(loaded.relation, submission)) fail('SUBMISSION_ACCESS_DENIED')
  return { ...loaded, submission }
}

/**
 * Does the same as `loadSubmission` for a change of the submission.
 * @throws CLASS_ARCHIVED
 */
export async function loadOpenSubmission(
  ctx: Pick<Context, 'clock'>,
  queries: Queries,
  actor: Actor,
  path: SubmissionParams,
  can: Predicate,
): Promise<LoadedSubmission> {
  const loaded = await loadSubmission(ctx, queries, actor, path, can)
  checkOpen(loaded.schoolClass)
  return loaded
}
