import type { ClassRole, OrganizationRole } from '../../../contract/users.ts'
import type { Queries } from '../../../platform/db/database.ts'
import { type FailureDetails, fail } from '../../../errors.ts'
import { isId } from '../../../lib/ids.ts'
import type { Actor } from '../../../actor.ts'
import { checkMember, isAdministrator, type Member } from '../../people/organizations/policy.ts'
import { findOrganization } from '../../people/organizations/store.ts'
import { isOpenToStudents, isReadOnly } from './lifecycle.ts'
import { type ClassRow, countClasses, findClass } from './store.ts'

/**
 * The relation of a user to a class: the role of a member, and whether the user administers its organization.
 */
export interface ClassRelation {
  role: ClassRole | undefined
  isAdministrator: boolean
}

/** A class with the viewer's relation to it. */
export interface LoadedClass {
  schoolClass: ClassRow
  relation: ClassRelation
}

export const canRead = ({ role, isAdministrator }: ClassRelation): boolean =>
  role !== undefined || isAdministrator
/** Whether the user can manage members, groups, settings and the state of the class. */
export const canManage = ({ role, isAdministrator }: ClassRelation): boolean =>
  role === 'teacher' || isAdministrator

/**
 * Returns the actor's relation to a class of the same organization. A teacher who has become a student counts
 * as a student.
 */
export const relationOf = (actor: Member, { viewer_role }: Pick<ClassRow, 'viewer_role'>): ClassRelation => ({
  role: viewer_role === 'teacher' ? classRoleOf(actor.organizationRole) : (viewer_role ?? undefined),
  isAdministrator: isAdministrator(actor),
})

/** Returns the class if the actor can see it. */
export function visibleTo(actor: Member, schoolClass: ClassRow): LoadedClass | undefined {
  if (schoolClass.organization_id !== actor.organization) return undefined
  const relation = relationOf(actor, schoolClass)
  const isVisible = canManage(relation) || (canRead(relation) && isOpenToStudents(schoolClass.state))
  return isVisible ? { schoolClass, relation } : undefined
}

/**
 * Loads a class and checks that `can` permits the actor's action.
 * @throws ORGANIZATION_ACCESS_DENIED for individual accounts, which have no classes; CLASS_NOT_FOUND when the
 *   actor cannot see a class with this id; CLASS_ACCESS_DENIED when the actor can only read it
 */
export async function loadClass(
  queries: Queries,
  actor: Actor,
  id: string,
  can: (relation: ClassRelation) => boolean,
  details?: FailureDetails,
): Promise<LoadedClass> {
  const member = checkMember(actor)
  const schoolClass = isId(id) ? await findClass(queries, { id, viewer: member.id }) : undefined
  const loaded = schoolClass && visibleTo(member, schoolClass)
  if (!loaded) fail('CLASS_NOT_FOUND', details)
  if (!can(loaded.relation)) fail('CLASS_ACCESS_DENIED', details)
  return loaded
}

/**
 * Loads a class for a change.
 * @throws CLASS_ARCHIVED, and the errors of `loadClass`
 */
export async function loadOpenClass(
  queries: Queries,
  actor: Actor,
  id: string,
  can: (relation: ClassRelation) => boolean,
  details?: FailureDetails,
): Promise<LoadedClass> {
  const loaded = await loadClass(queries, actor, id, can, details)
  checkOpen(loaded.schoolClass, details)
  return loaded
}

/**
 * Checks that a class can be changed.
 * @throws CLASS_ARCHIVED
 */
export function checkOpen({ state }: Pick<ClassRow, 'state'>, details?: FailureDetails): void {
  if (isReadOnly(state)) fail('CLASS_ARCHIVED', details)
}

/**
 * Checks that the organization may have `more` additional classes.
 * @throws CLASSES_EXHAUSTED
 */
export async function checkClassLimit(queries: Queries, organization: string, more = 1): Promise<void> {
  const { max_classes = null } = (await findOrganization(queries, organization)) ?? {}
  if (max_classes !== null && (await countClasses(queries, organization)) + more > max_classes) {
    fail('CLASSES_EXHAUSTED')
  }
}

/** Returns the role in a class: students of the organization are students, all other members are teachers. */
export const classRoleOf = (role: OrganizationRole): ClassRole => (role === 'user' ? 'student' : 'teacher')
