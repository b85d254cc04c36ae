import type { ResourceCollaboratorCreation, ResourceRights } from '../../../contract/sharing.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import type { AccessLevel } from '../../../platform/db/tables.ts'
import { fail } from '../../../errors.ts'
import { day } from '../../../lib/durations.ts'
import { hashToken, isToken, newToken } from '../../../lib/tokens.ts'
import type { Actor } from '../../../actor.ts'
import type { Context } from '../../../context.ts'
import { loadGroup } from '../../people/groups/policy.ts'
import { emailKey, isEmailAddress } from '../../people/users/accounts.ts'
import { loadUser } from '../../people/users/policy.ts'
import { findUser, listUsersByEmail, type UserRow } from '../../people/users/store.ts'
import {
  deleteGrant,
  deleteGrantOf,
  findGrantOf,
  type GrantTarget,
  type GrantRow,
  type Holder,
  listGrants,
  loadGrant,
  saveGrant,
} from '../sharing/grants.store.ts'
import { findInvitationByToken, listInvitations } from '../sharing/invitations.store.ts'
import {
  canShareWith,
  canSeeGrant,
  isSameOrganization,
  isStudentOutsideOrganization,
  type OwnerAccessColumns,
} from './policy.ts'

/** A score or a collection with its owner. */
export type SharedResource = GrantTarget & { owner: OwnerAccessColumns & { id: string } }

/** A request to share, with the recipient and the access level. */
export interface ShareRequest {
  to: { user: string } | { group: string } | { email: string }
  level: AccessLevel
}

/**
 * Validates the body of a request that adds a collaborator.
 * @throws INVALID_PARAMETER if the body names no recipient, names several, or grants no right
 */
export function parseShareRequest(body: ResourceCollaboratorCreation): ShareRequest {
  const { user, group, userEmail, aclRead = true, aclWrite = false, aclAdmin = false } = body
  if (body.userToken !== undefined) failInvalid('userToken', 'cannot be sent with a recipient')
  const named = (['user', 'group', 'userEmail'] as const).filter((name) => body[name] !== undefined)
  if (named.length !== 1)
    failInvalid(
      named[1] ?? 'user',
      'is not valid: exactly candidate of `user`, `group`, `userEmail` is required',
    )
  const level = aclAdmin ? 3 : aclWrite ? 2 : 1
  if (level === 1 && !aclRead) failInvalid('aclRead', 'must be true: a collaborator has at least read access')
  if (user !== undefined) return { to: { user }, level }
  if (group !== undefined) return { to: { group }, level }
  const email = (userEmail ?? '').trim()
  if (!isEmailAddress(email)) failInvalid('userEmail', 'is not an e-mail address')
  return { to: { email }, level }
}

function failInvalid(param: string, problem: string): never {
  fail('INVALID_PARAMETER', { param, message: `\`${param}\` ${problem}.` })
}

/**
 * Gives a user or a group access to a score or a collection, or changes the access level of an existing
 * collaborator.
 * @param actor an administrator of the score or collection
 * @throws USER_NOT_FOUND or GROUP_NOT_FOUND if the actor cannot see the recipient; OWNER_KEEPS_RIGHTS;
 *   STUDENTS_SHARE_WITHIN_ORGANIZATION; COLLABORATOR_OUT_OF_REACH
 */
export async function addCollaborator(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  shared: SharedResource,
  { to, level }: ShareRequest,
): Promise<AddedCollaborator> {
  const resolved = await resolveHolder(tx, actor, shared.owner, to)
  const userToken = 'email' in resolved ? newToken('invitation') : undefined
  const holder = userToken === undefined ? resolved : { ...resolved, tokenHash: hashToken(userToken) }
  // A pending invitation to the same address would overwrite this level when it is accepted later.
  if ('email' in to && 'user' in holder) {
    await deleteGrantOf(tx, shared, { email: to.email, emailKey: emailKey(to.email) })
  }
  const grant = { id: ctx.newId(), level, by: actor.id, now: ctx.clock.now() }
  return { grant: await loadGrant(tx, await saveGrant(tx, shared, holder, grant)), userToken }
}

/** A collaborator, and the token of a new or renewed invitation, which is shown once. */
export interface AddedCollaborator {
  grant: GrantRow
  userToken?: string | undefined
}

/**
 * Returns the token of the invitation that a body accepts, or undefined if the body names a recipient:
 * `parseShareRequest` refuses a body with both.
 */
export function acceptedToken(body: ResourceCollaboratorCreation): string | undefined {
  const { user, group, userEmail, userToken } = body
  const hasNoRecipient = user === undefined && group === undefined && userEmail === undefined
  return hasNoRecipient ? userToken : undefined
}

/**
 * Accepts a pending invitation by its token. The actor becomes a collaborator with the level of the invitation, or keeps
 * a stronger one. Returns undefined if the token is not that of a pending invitation to this score or collection.
 * @throws OWNER_KEEPS_RIGHTS; STUDENTS_SHARE_WITHIN_ORGANIZATION; COLLABORATOR_OUT_OF_REACH
 */
export async function acceptInvitation(
  { clock, config }: Pick<Context, 'clock' | 'config'>,
  tx: Transaction,
  actor: Actor,
  { on, id }: GrantTarget,
  userToken: string,
): Promise<AddedCollaborator | undefined> {
  if (!isToken('invitation', userToken)) return undefined
  const after = clock.now() - config.invitationDays * day
  const invitation = await findInvitationByToken(tx, { tokenHash: hashToken(userToken), after })
  if (!invitation || invitation.target.on !== on || invitation.target.id !== id) return undefined
  const { owner, inviter, target, level } = invitation
  const param = 'userToken'
  if (actor.id === owner.id) fail('OWNER_KEEPS_RIGHTS', { param })
  const user = (await findUser(tx, { id: actor.id })) ?? fail('USER_NOT_FOUND')
  if (isStudentOutsideOrganization(inviter, user) || isStudentOutsideOrganization(owner, user))
    fail('STUDENTS_SHARE_WITHIN_ORGANIZATION', { param })
  if (!canShareWith(owner, user)) fail('COLLABORATOR_OUT_OF_REACH', { param })
  await deleteGrant(tx, target, invitation.id)
  const holder = { user: user.id }
  const known = await findGrantOf(tx, target, holder)
  const grant = { id: invitation.id, level, by: inviter.id, now: invitation.created_at }
  const kept = known && known.level >= level ? known.id : await saveGrant(tx, target, holder, grant)
  return { grant: await loadGrant(tx, kept) }
}

async function resolveHolder(
  tx: Transaction,
  actor: Actor,
  owner: SharedResource['owner'],
  to: ShareRequest['to'],
): Promise<Holder> {
  if ('group' in to) {
    const group = await loadGroup(tx, actor, to.group, { param: 'group' })
    if (!canShareWith(owner, group)) fail('COLLABORATOR_OUT_OF_REACH', { param: 'group' })
    return { group: group.id }
  }
  if ('user' in to) {
    const user = await loadUser(tx, actor, to.user, { param: 'user' })
    checkIsNotOwner(owner, user.id, 'user')
    if (isStudentOutsideOrganization(memberOf(actor), user) || isStudentOutsideOrganization(owner, user))
      fail('STUDENTS_SHARE_WITHIN_ORGANIZATION', { param: 'user' })
    if (!canShareWith(owner, user)) fail('COLLABORATOR_OUT_OF_REACH', { param: 'user' })
    return { user: user.id }
  }
  const key = emailKey(to.email)
  const [user, another] = (await listUsersByEmail(tx, key)).filter((candidate) =>
    invitationReaches(candidate, owner, memberOf(actor)),
  )
  // Several users can have the same address (siblings, for example). The recipient is then ambiguous.
  if (user && !another) {
    checkIsNotOwner(owner, user.id, 'userEmail')
    return { user: user.id }
  }
  if (actor.organizationRole === 'user') fail('STUDENTS_SHARE_WITHIN_ORGANIZATION', { param: 'userEmail' })
  return { email: to.email, emailKey: key }
}

const memberOf = ({ organization, organizationRole }: Actor) => ({
  organization_id: organization ?? null,
  organization_role: organizationRole ?? null,
})

function checkIsNotOwner(owner: SharedResource['owner'], user: string, param: string): void {
  if (user === owner.id) fail('OWNER_KEEPS_RIGHTS', { param })
}

/**
 * Returns whether an invitation to a user's address reaches this user. The address must be verified by mail,
 * or vouched for by an organization that the user and the owner share. A user who may not receive the grant
 * is treated as unknown, so that the response does not reveal that the account exists.
 */
function invitationReaches(
  user: UserRow,
  owner: OwnerAccessColumns,
  by: Parameters<typeof isStudentOutsideOrganization>[0],
): boolean {
  const hasConfirmedAddress =
    user.email_verified === 1 || (user.email_vouched === 1 && isSameOrganization(user, owner))
  return (
    hasConfirmedAddress &&
    canShareWith(owner, user) &&
    !isStudentOutsideOrganization(by, user) &&
    !isStudentOutsideOrganization(owner, user)
  )
}

/**
 * Converts the pending invitations to a user's address into grants. If the user already has a grant, the
 * stronger of the two is kept.
 */
export async function acceptInvitations(tx: Transaction, { id }: { id: string }): Promise<void> {
  const user = await findUser(tx, { id })
  if (!user?.email_key) return
  const others = (await listUsersByEmail(tx, user.email_key)).filter((candidate) => candidate.id !== user.id)
  for (const { id, level, owner, inviter, target, created_at } of await listInvitations(tx, user.email_key)) {
    if (
      !invitationReaches(user, owner, inviter) ||
      others.some((other) => invitationReaches(other, owner, inviter))
    )
      continue
    await deleteGrant(tx, target, id)
    const holder = { user: user.id }
    const known = await findGrantOf(tx, target, holder)
    if (user.id === owner.id || (known && known.level >= level)) continue
    await saveGrant(tx, target, holder, { id, level, by: inviter.id, now: created_at })
  }
}

/**
 * Loads the grant that a path parameter names.
 * @param idOrMe the id of the grant, or of the user or group that holds it; `me` is the caller
 * @throws COLLABORATOR_NOT_FOUND if the grant does not exist or the caller may not see it
 */
export async function loadCollaborator(
  queries: Queries,
  actor: Actor,
  { on, id }: GrantTarget,
  rights: ResourceRights,
  idOrMe: string,
): Promise<GrantRow> {
  const idOrHolder = idOrMe === 'me' ? actor.id : idOrMe
  const grants = (await listGrants(queries, on, [id])).get(id) ?? []
  const grant = grants.find(
    ({ id, user_id, group_id }) => idOrHolder === id || idOrHolder === user_id || idOrHolder === group_id,
  )
  if (!grant || !canSeeGrant(grant, rights, actor)) fail('COLLABORATOR_NOT_FOUND')
  return grant
}

/** Returns whether the path parameter of a collaborator names this user. */
export const namesUser = (idOrMe: string, user: { id: string }, actor: { id: string }): boolean =>
  (idOrMe === 'me' ? actor.id : idOrMe) === user.id

/**
 * Removes a collaborator. An administrator can remove any collaborator; other users can remove only
 * themselves.
 * @throws COLLABORATOR_NOT_FOUND; OWNER_KEEPS_RIGHTS; SCORE_ACCESS_DENIED or COLLECTION_ACCESS_DENIED
 */
export async function removeCollaborator(
  tx: Transaction,
  actor: Actor,
  shared: SharedResource,
  rights: ResourceRights,
  idOrMe: string,
): Promise<void> {
  if (namesUser(idOrMe, shared.owner, actor)) fail('OWNER_KEEPS_RIGHTS')
  const grant = await loadCollaborator(tx, actor, shared, rights, idOrMe)
  if (!rights.aclAdmin && grant.user_id !== actor.id) fail(denied[shared.on])
  await deleteGrant(tx, shared, grant.id)
}

const denied = { score: 'SCORE_ACCESS_DENIED', collection: 'COLLECTION_ACCESS_DENIED' } as const
