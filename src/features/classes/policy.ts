import type { ClassRole, OrganizationRole } from '../../contract/users.ts'
import type { Queries } from '../../db/database.ts'
import { type FailureDetails, fail } from '../../errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Actor } from '../../operation.ts'
import { checkMember, isAdministrator, type Member } from '../organizations/policy.ts'
import { findOrganization } from '../organizations/store.ts'
import { isOpenToStudents, isReadOnly } from './lifecycle.ts'
import { type ClassRow, countClasses, findClass } from './store.ts'

/** What somebody is to a class: one of its people, or an administrator of its organization, whether or not in it. */
export interface Standing {
  role: ClassRole | undefined
  isAdministrator: boolean
}

/** A class, and what its viewer is to it. */
export interface LoadedClass {
  klass: ClassRow
  standing: Standing
}

export const canRead = ({ role, isAdministrator }: Standing): boolean => role !== undefined || isAdministrator
/** Its teachers and the administrators: people, groups, settings, state. */
export const canManage = ({ role, isAdministrator }: Standing): boolean => role === 'teacher' || isAdministrator

/** What the actor is to a class of the same organization. Who has become a student teaches nobody. */
export const standingOf = (actor: Member, { viewer_role }: Pick<ClassRow, 'viewer_role'>): Standing => ({
  role: viewer_role === 'teacher' ? classRoleOf(actor.organizationRole) : (viewer_role ?? undefined),
  isAdministrator: isAdministrator(actor),
})

/** The class as it is to the actor; undefined where the actor may not know of it. */
export function seenBy(actor: Member, klass: ClassRow): LoadedClass | undefined {
  if (klass.organization_id !== actor.organization) return undefined
  const standing = standingOf(actor, klass)
  const isSeen = canManage(standing) || (canRead(standing) && isOpenToStudents(klass.state))
  return isSeen ? { klass, standing } : undefined
}

/**
 * The class, for someone who may do this in it.
 * @throws ORGANIZATION_ACCESS_DENIED for individual accounts, which have no classes; CLASS_NOT_FOUND when there is none
 * that the actor may see; CLASS_ACCESS_DENIED when it may only be seen
 */
export async function loadClass(
  queries: Queries,
  actor: Actor,
  id: string,
  can: (standing: Standing) => boolean,
  details?: FailureDetails,
): Promise<LoadedClass> {
  const member = checkMember(actor)
  const klass = isId(id) ? await findClass(queries, { id, viewer: member.id }) : undefined
  const loaded = klass && seenBy(member, klass)
  if (!loaded) fail('CLASS_NOT_FOUND', details)
  if (!can(loaded.standing)) fail('CLASS_ACCESS_DENIED', details)
  return loaded
}

/** The same, of a class in which something is to be changed. @throws CLASS_ARCHIVED, and as `loadClass` does */
export async function loadOpenClass(
  queries: Queries,
  actor: Actor,
  id: string,
  can: (standing: Standing) => boolean,
  details?: FailureDetails,
): Promise<LoadedClass> {
  const loaded = await loadClass(queries, actor, id, can, details)
  checkOpen(loaded.klass, details)
  return loaded
}

/** @throws CLASS_ARCHIVED where nothing may be changed */
export function checkOpen({ state }: Pick<ClassRow, 'state'>, details?: FailureDetails): void {
  if (isReadOnly(state)) fail('CLASS_ARCHIVED', details)
}

/** @throws CLASSES_EXHAUSTED where the organization may not have so many more classes */
export async function checkRoomForClass(queries: Queries, organization: string, more = 1): Promise<void> {
  const { max_classes = null } = (await findOrganization(queries, organization)) ?? {}
  if (max_classes !== null && (await countClasses(queries, organization)) + more > max_classes) {
    fail('CLASSES_EXHAUSTED')
  }
}

/** What a member of the organization is in a class: students learn, everybody else teaches. */
export const classRoleOf = (role: OrganizationRole): ClassRole => (role === 'user' ? 'student' : 'teacher')
