import type { Queries } from '../../../platform/db/database.ts'
import { type FailureDetails, fail } from '../../../errors.ts'
import { isId } from '../../../lib/ids.ts'
import type { Actor } from '../../../actor.ts'
import type { Context } from '../../../context.ts'
import { isOpenToStudents } from '../classes/lifecycle.ts'
import {
  canManage,
  canRead,
  checkOpen,
  type LoadedClass,
  loadClass,
  type ClassRelation,
  visibleTo,
} from '../classes/policy.ts'
import { type ClassRow, findClass } from '../classes/store.ts'
import type { Member } from '../../people/organizations/policy.ts'
import { isDraft, isPublished, type Publication } from './lifecycle.ts'
import { type AssignmentRow, findAnyAssignment, findAssignment } from './store.ts'

/** An assignment of a class with the viewer's relation to the class. */
export interface LoadedAssignment extends LoadedClass {
  assignment: AssignmentRow
}

/** Whether the students to whom an assignment is assigned can see it. */
export const isOpenToClass = (
  assignment: Publication,
  schoolClass: Pick<ClassRow, 'state'>,
  now: number,
): boolean => isPublished(assignment, now) && isOpenToStudents(schoolClass.state)

/** The data that decides whether a viewer can see an assignment. */
interface VisibilityFacts {
  assignment: Publication & Pick<AssignmentRow, 'assignee_mode' | 'names_viewer'>
  schoolClass: Pick<ClassRow, 'state'>
  relation: ClassRelation
}

/**
 * Whether a viewer who can see the class can see the assignment. Students see published assignments that are
 * assigned to them; other viewers see all.
 */
export const canSee = ({ assignment, schoolClass, relation }: VisibilityFacts, now: number): boolean =>
  canManage(relation) ||
  (isOpenToClass(assignment, schoolClass, now) &&
    (assignment.assignee_mode === 'everyone' || assignment.names_viewer === 1))

/**
 * Loads an assignment of a class and checks that `can` permits the actor's action.
 * @throws ASSIGNMENT_NOT_FOUND when the actor cannot see an assignment with this id; ASSIGNMENT_ACCESS_DENIED
 *   when the actor can only read it; and the errors of `loadClass`
 */
export async function loadAssignment(
  { clock }: Pick<Context, 'clock'>,
  queries: Queries,
  actor: Actor,
  { class: classId, assignment: id }: { class: string; assignment: string },
  can: (relation: ClassRelation) => boolean,
  details?: FailureDetails,
): Promise<LoadedAssignment> {
  const [{ schoolClass, relation }, assignment] = await Promise.all([
    loadClass(queries, actor, classId, canRead),
    isId(id) && isId(classId) ? findAssignment(queries, { id, class: classId, viewer: actor.id }) : undefined,
  ])
  const loaded = assignment && { assignment, schoolClass, relation }
  if (!loaded || !canSee(loaded, clock.now())) fail('ASSIGNMENT_NOT_FOUND', details)
  if (!can(relation)) fail('ASSIGNMENT_ACCESS_DENIED', details)
  return loaded
}

/**
 * Loads an assignment by its id alone.
 * @throws ASSIGNMENT_NOT_FOUND when the actor cannot see an assignment with this id
 */
export async function loadAnyAssignment(
  { clock }: Pick<Context, 'clock'>,
  queries: Queries,
  actor: Member,
  id: string,
  details?: FailureDetails,
): Promise<LoadedAssignment> {
  const row = isId(id) ? await findAnyAssignment(queries, id) : undefined
  const schoolClass = row && (await findClass(queries, { id: row.class_id, viewer: actor.id }))
  const seen = schoolClass && visibleTo(actor, schoolClass)
  const assignment =
    seen && (await findAssignment(queries, { id, class: seen.schoolClass.id, viewer: actor.id }))
  const loaded = assignment && { assignment, ...seen }
  if (!loaded || !canSee(loaded, clock.now())) fail('ASSIGNMENT_NOT_FOUND', details)
  return loaded
}

/**
 * Loads an assignment for a change by an actor who manages the class.
 * @throws CLASS_ARCHIVED, and the errors of `loadAssignment`
 */
export async function loadManagedAssignment(
  ctx: Pick<Context, 'clock'>,
  queries: Queries,
  actor: Actor,
  path: { class: string; assignment: string },
  details?: FailureDetails,
): Promise<LoadedAssignment> {
  const loaded = await loadAssignment(ctx, queries, actor, path, canManage, details)
  checkOpen(loaded.schoolClass)
  return loaded
}

/**
 * Loads an assignment that was never published.
 * @throws ASSIGNMENT_STATE_CONFLICT, and the errors of `loadManagedAssignment`
 */
export async function loadDraft(...by: Parameters<typeof loadManagedAssignment>): Promise<LoadedAssignment> {
  const loaded = await loadManagedAssignment(...by)
  if (!isDraft(loaded.assignment.state)) fail('ASSIGNMENT_STATE_CONFLICT', by[4])
  return loaded
}
