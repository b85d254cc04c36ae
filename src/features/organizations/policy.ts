import type { OrganizationRole } from '../../contract/users.ts'
import type { Queries } from '../../db/database.ts'
import { type FailureDetails, fail } from '../../errors.ts'
import type { Actor } from '../../operation.ts'
import { loadUser } from '../users/policy.ts'
import type { UserRow } from '../users/store.ts'
import { countSeats, findOrganization } from './store.ts'

/** The roles of an organization, the weakest first; docs/roles.md says what each may do. */
const ranking: readonly OrganizationRole[] = ['user', 'teacher', 'admin', 'accountAdmin']

export const rankOf = (role: OrganizationRole): number => ranking.indexOf(role)

/** Somebody who is a member of an organization. */
export type Member = Actor & { organization: string; organizationRole: OrganizationRole }

export function isMember(actor: Actor): actor is Member {
  return actor.organization !== undefined && actor.organizationRole !== undefined
}

export const isAdministratorRole = (role: OrganizationRole): boolean => rankOf(role) >= rankOf('admin')

/** A token that was made for an administrator by another is for that person's own work. */
export const isAdministrator = (actor: Actor): boolean =>
  isMember(actor) && !actor.token.isDelegated && isAdministratorRole(actor.organizationRole)

export const isStudent = (actor: Actor): boolean => actor.organizationRole === 'user'

/** The actor, who is a member of an organization. @throws ORGANIZATION_ACCESS_DENIED */
export function checkMember(actor: Actor): Member {
  if (!isMember(actor)) fail('ORGANIZATION_ACCESS_DENIED')
  return actor
}

/** The actor, who administers an organization. @throws ORGANIZATION_ACCESS_DENIED */
export function checkAdministrator(actor: Actor): Member {
  if (!isMember(actor) || !isAdministrator(actor)) fail('ORGANIZATION_ACCESS_DENIED')
  return actor
}

/** The actor, who works at an organization. @throws ORGANIZATION_ACCESS_DENIED */
export function checkStaff(actor: Actor): Member {
  if (!isMember(actor) || isStudent(actor)) fail('ORGANIZATION_ACCESS_DENIED')
  return actor
}

/**
 * Whether the actor may make, invite, change, reset or remove somebody of this role: nobody above one's own; with the token of
 * an app nobody of one's own either, oneself least of all, since that would give the app the whole account.
 */
export const canManageRole = (actor: Member, role: OrganizationRole): boolean =>
  rankOf(role) <= rankOf(actor.organizationRole) - (actor.token.app === undefined ? 0 : 1)

/** Whether the actor may act as somebody of this role: only below one's own, and no app for its user. */
export const canActAs = (actor: Member, role: OrganizationRole): boolean =>
  actor.token.app === undefined && rankOf(role) < rankOf(actor.organizationRole)

/** @throws SEATS_EXHAUSTED where the organization may not have so many more members; test students are not counted */
export async function checkRoomForMember(queries: Queries, organization: string, more = 1): Promise<void> {
  const { max_seats = null } = (await findOrganization(queries, organization)) ?? {}
  if (max_seats !== null && (await countSeats(queries, organization)) + more > max_seats) fail('SEATS_EXHAUSTED')
}

/** Somebody of the actor's organization. @throws USER_NOT_FOUND */
export async function loadMember(
  queries: Queries,
  actor: Member,
  idOrMe: string,
  details?: FailureDetails,
): Promise<UserRow & { organization_role: OrganizationRole }> {
  const user = await loadUser(queries, actor, idOrMe, details)
  const { organization_id, organization_role } = user
  if (organization_id !== actor.organization || !organization_role) fail('USER_NOT_FOUND', details)
  return { ...user, organization_role }
}
