import type { Queries } from '../../db/database.ts'
import { type FailureDetails, fail } from '../../errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Actor, Context } from '../../operation.ts'
import { isOpenToStudents } from '../classes/lifecycle.ts'
import { canManage, canRead, checkOpen, type LoadedClass, loadClass, type Standing, seenBy } from '../classes/policy.ts'
import { type ClassRow, findClass } from '../classes/store.ts'
import type { Member } from '../organizations/policy.ts'
import { isDraft, isPublished, type Publication } from './lifecycle.ts'
import { type AssignmentRow, findAnyAssignment, findAssignment } from './store.ts'

/** An assignment of a class, and what its viewer is to that. */
export interface LoadedAssignment extends LoadedClass {
  assignment: AssignmentRow
}

/** Whether the students of a class may find an assignment, as far as it is for them. */
export const isOpenToClass = (assignment: Publication, klass: Pick<ClassRow, 'state'>, now: number): boolean =>
  isPublished(assignment, now) && isOpenToStudents(klass.state)

/** What decides whether somebody finds it. */
interface Seen {
  assignment: Publication & Pick<AssignmentRow, 'assignee_mode' | 'names_viewer'>
  klass: Pick<ClassRow, 'state'>
  standing: Standing
}

/** Whether somebody finds an assignment of a class that they find: students what is open and for them, others everything. */
export const canSee = ({ assignment, klass, standing }: Seen, now: number): boolean =>
  canManage(standing) ||
  (isOpenToClass(assignment, klass, now) && (assignment.assignee_mode === 'everyone' || assignment.names_viewer === 1))

/**
 * The assignment of a class, for someone who may do this in the class.
 * @throws ASSIGNMENT_NOT_FOUND when there is none that the actor may see; ASSIGNMENT_ACCESS_DENIED when it may only be
 * seen; and as `loadClass` does
 */
export async function loadAssignment(
  { clock }: Pick<Context, 'clock'>,
  queries: Queries,
  actor: Actor,
  { class: classId, assignment: id }: { class: string; assignment: string },
  can: (standing: Standing) => boolean,
  details?: FailureDetails,
): Promise<LoadedAssignment> {
  const { klass, standing } = await loadClass(queries, actor, classId, canRead)
  const assignment = isId(id) ? await findAssignment(queries, { id, class: klass.id, viewer: actor.id }) : undefined
  const loaded = assignment && { assignment, klass, standing }
  if (!loaded || !canSee(loaded, clock.now())) fail('ASSIGNMENT_NOT_FOUND', details)
  if (!can(standing)) fail('ASSIGNMENT_ACCESS_DENIED', details)
  return loaded
}

/** An assignment by its id alone. @throws ASSIGNMENT_NOT_FOUND when there is none that the actor may see */
export async function loadAnyAssignment(
  { clock }: Pick<Context, 'clock'>,
  queries: Queries,
  actor: Member,
  id: string,
  details?: FailureDetails,
): Promise<LoadedAssignment> {
  const found = isId(id) ? await findAnyAssignment(queries, id) : undefined
  const klass = found && (await findClass(queries, { id: found.class_id, viewer: actor.id }))
  const seen = klass && seenBy(actor, klass)
  const assignment = seen && (await findAssignment(queries, { id, class: seen.klass.id, viewer: actor.id }))
  const loaded = assignment && { assignment, ...seen }
  if (!loaded || !canSee(loaded, clock.now())) fail('ASSIGNMENT_NOT_FOUND', details)
  return loaded
}

/** The same, of an assignment that is to be changed by who manages the class. @throws CLASS_ARCHIVED */
export async function loadManagedAssignment(
  ctx: Pick<Context, 'clock'>,
  queries: Queries,
  actor: Actor,
  path: { class: string; assignment: string },
  details?: FailureDetails,
): Promise<LoadedAssignment> {
  const loaded = await loadAssignment(ctx, queries, actor, path, canManage, details)
  checkOpen(loaded.klass)
  return loaded
}

/** The same, of one that was never published. @throws ASSIGNMENT_STATE_CONFLICT */
export async function loadDraft(...by: Parameters<typeof loadManagedAssignment>): Promise<LoadedAssignment> {
  const loaded = await loadManagedAssignment(...by)
  if (!isDraft(loaded.assignment.state)) fail('ASSIGNMENT_STATE_CONFLICT', by[4])
  return loaded
}
