import { rankedRoles } from '../../../contract/roles.ts'
import type { OrganizationRole } from '../../../contract/users.ts'
import type { Queries } from '../../../platform/db/database.ts'
import { fail } from '../../../errors.ts'
import type { Actor } from '../../../actor.ts'
import { loadUser } from '../users/policy.ts'
import type { UserRow } from '../users/store.ts'
import { countSeats, findOrganization } from './store.ts'

export const rankOf = (role: OrganizationRole): number => rankedRoles.indexOf(role)

/** An actor who is a member of an organization. */
export type Member = Actor & { organization: string; organizationRole: OrganizationRole }

export function isMember(actor: Actor): actor is Member {
  return actor.organization !== undefined && actor.organizationRole !== undefined
}

export const isAdministratorRole = (role: OrganizationRole): boolean => rankOf(role) >= rankOf('admin')

/**
 * Whether the actor has the powers of an administrator. A delegated token has not: it is for the
 * administrator's own work.
 */
export const isAdministrator = (actor: Actor): boolean =>
  isMember(actor) && !actor.access.isDelegated && isAdministratorRole(actor.organizationRole)

export const isStudent = (actor: Actor): boolean => actor.organizationRole === 'user'

/**
 * Returns the actor as a member of an organization.
 * @throws ORGANIZATION_ACCESS_DENIED
 */
export function checkMember(actor: Actor): Member {
  if (!isMember(actor)) fail('ORGANIZATION_ACCESS_DENIED')
  return actor
}

/**
 * Returns the actor as an administrator of an organization.
 * @throws ORGANIZATION_ACCESS_DENIED
 */
export function checkAdministrator(actor: Actor): Member {
  if (!isMember(actor) || !isAdministrator(actor)) fail('ORGANIZATION_ACCESS_DENIED')
  return actor
}

/**
 * Returns the actor as a member of staff of an organization.
 * @throws ORGANIZATION_ACCESS_DENIED
 */
export function checkStaff(actor: Actor): Member {
  if (!isMember(actor) || isStudent(actor)) fail('ORGANIZATION_ACCESS_DENIED')
  return actor
}

/**
 * Whether the actor may create, invite, change, reset or remove members with this role. The role must not be
 * above the actor's. With the token of an app it must be below, because an app could otherwise take over the
 * user's own account.
 */
export const canManageRole = (actor: Member, role: OrganizationRole): boolean =>
  rankOf(role) <= rankOf(actor.organizationRole) - (actor.access.app === undefined ? 0 : 1)

/**
 * Whether the actor may act as a member with this role. The role must be below the actor's, and the token
 * must not belong to an app.
 */
export const canActAs = (actor: Member, role: OrganizationRole): boolean =>
  actor.access.app === undefined && rankOf(role) < rankOf(actor.organizationRole)

/**
 * @throws SEATS_EXHAUSTED if the organization has no room for this many more members. Test students take no
 *   seat.
 */
export async function checkRoomForMember(queries: Queries, organization: string, more = 1): Promise<void> {
  const { max_seats = null } = (await findOrganization(queries, organization)) ?? {}
  if (max_seats !== null && (await countSeats(queries, organization)) + more > max_seats)
    fail('SEATS_EXHAUSTED')
}

/**
 * Loads a member of the actor's organization.
 * @throws USER_NOT_FOUND
 */
export async function loadMember(
  queries: Queries,
  actor: Member,
  idOrMe: string,
): Promise<UserRow & { organization_role: OrganizationRole }> {
  const user = await loadUser(queries, actor, idOrMe)
  const { organization_id, organization_role } = user
  if (organization_id !== actor.organization || !organization_role) fail('USER_NOT_FOUND')
  return { ...user, organization_role }
}

/**
 * Loads a member whom the actor, an administrator, may manage.
 * @throws ORGANIZATION_ACCESS_DENIED, USER_NOT_FOUND, ROLE_OUT_OF_REACH
 */
export async function loadManaged(
  queries: Queries,
  actor: Actor,
  idOrMe: string,
): ReturnType<typeof loadMember> {
  const administrator = checkAdministrator(actor)
  const member = await loadMember(queries, administrator, idOrMe)
  if (!canManageRole(administrator, member.organization_role)) fail('ROLE_OUT_OF_REACH')
  return member
}
