import type { ResourceCollaboratorCreation, ResourceRights } from '../../contract/sharing.ts'
import type { Queries, Transaction } from '../../db/database.ts'
import type { AccessLevel } from '../../db/tables.ts'
import { fail } from '../../errors.ts'
import type { Actor, Context } from '../../operation.ts'
import { loadGroup } from '../groups/policy.ts'
import { emailKey, isEmailAddress } from '../users/accounts.ts'
import { loadUser } from '../users/policy.ts'
import { findUser, listUsersByEmail, type UserRow } from '../users/store.ts'
import {
  deleteGrant,
  deleteGrantOf,
  findGrantOf,
  type Granted,
  type GrantRow,
  type Holder,
  listGrants,
  listInvitations,
  loadGrant,
  saveGrant,
} from './grants.ts'
import { canBeGivenTo, canSeeGrant, isSameOrganization, isStudentOutside, type ProtectedBy } from './policy.ts'

/** A score or a collection, and whose it is. */
export type Shared = Granted & { owner: ProtectedBy & { id: string } }

/** Whom an administrator wants to give something, and what they may do with it. */
export interface Giving {
  to: { user: string } | { group: string } | { email: string }
  level: AccessLevel
}

/** @throws INVALID_PARAMETER where a body names nobody, or several, or allows nothing */
export function givingOf(body: ResourceCollaboratorCreation): Giving {
  const { user, group, userEmail, aclRead = true, aclWrite = false, aclAdmin = false } = body
  if (body.userToken !== undefined)
    refuse('userToken', 'is not available here: invitations are accepted by their address')
  const named = (['user', 'group', 'userEmail'] as const).filter((name) => body[name] !== undefined)
  if (named.length !== 1)
    refuse(named[1] ?? 'user', 'must be the only one of `user`, `group`, `userEmail`, and one is needed')
  const level = aclAdmin ? 3 : aclWrite ? 2 : 1
  if (level === 1 && !aclRead) refuse('aclRead', 'is what a collaborator has at least')
  if (user !== undefined) return { to: { user }, level }
  if (group !== undefined) return { to: { group }, level }
  const email = (userEmail ?? '').trim()
  if (!isEmailAddress(email)) refuse('userEmail', 'is not an e-mail address')
  return { to: { email }, level }
}

function refuse(param: string, why: string): never {
  fail('INVALID_PARAMETER', { param, message: `\`${param}\` ${why}.` })
}

/**
 * Gives this to somebody, or another level to who has it.
 * @param actor an administrator of it
 * @throws USER_NOT_FOUND, GROUP_NOT_FOUND for whom the actor may not know of; OWNER_KEEPS_RIGHTS;
 * STUDENTS_SHARE_WITHIN_ORGANIZATION; COLLABORATOR_OUT_OF_REACH
 */
export async function addCollaborator(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  shared: Shared,
  { to, level }: Giving,
): Promise<GrantRow> {
  const holder = await holderOf(tx, actor, shared.owner, to)
  // An invitation that still waits would else come true later, at the level of then.
  if ('email' in to && 'user' in holder) {
    await deleteGrantOf(tx, shared, { email: to.email, emailKey: emailKey(to.email) })
  }
  const grant = { id: ctx.newId(), level, by: actor.id, now: ctx.clock.now() }
  return loadGrant(tx, await saveGrant(tx, shared, holder, grant))
}

async function holderOf(tx: Transaction, actor: Actor, owner: Shared['owner'], to: Giving['to']): Promise<Holder> {
  if ('group' in to) {
    const group = await loadGroup(tx, actor, to.group, { param: 'group' })
    if (!canBeGivenTo(owner, group)) fail('COLLABORATOR_OUT_OF_REACH', { param: 'group' })
    return { group: group.id }
  }
  if ('user' in to) {
    const user = await loadUser(tx, actor, to.user, { param: 'user' })
    checkIsNotOwner(owner, user.id, 'user')
    if (isStudentOutside(memberOf(actor), user) || isStudentOutside(owner, user))
      fail('STUDENTS_SHARE_WITHIN_ORGANIZATION', { param: 'user' })
    if (!canBeGivenTo(owner, user)) fail('COLLABORATOR_OUT_OF_REACH', { param: 'user' })
    return { user: user.id }
  }
  const key = emailKey(to.email)
  const [user, another] = (await listUsersByEmail(tx, key)).filter((one) => isMeant(one, owner, memberOf(actor)))
  // Of several with one address, siblings say, nobody knows which is meant.
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

function checkIsNotOwner(owner: Shared['owner'], user: string, param?: string): void {
  if (user === owner.id) fail('OWNER_KEEPS_RIGHTS', param === undefined ? {} : { param })
}

/**
 * Whether what this owner has goes to this user when it is given to the user's address. That must be the user's: verified
 * by mail, or vouched for by the organization that the owner is in as well. Of those to whom it may not be given nothing
 * is said, not even that they are there.
 */
function isMeant(user: UserRow, owner: ProtectedBy, by: Parameters<typeof isStudentOutside>[0]): boolean {
  const isTheirs = user.email_verified === 1 || (user.email_vouched === 1 && isSameOrganization(user, owner))
  return isTheirs && canBeGivenTo(owner, user) && !isStudentOutside(by, user) && !isStudentOutside(owner, user)
}

/**
 * Makes the invitations to a user's address grants, where it has become the user's. Whoever has a grant already keeps the
 * stronger one.
 */
export async function acceptInvitations(tx: Transaction, { id }: { id: string }): Promise<void> {
  const user = await findUser(tx, { id })
  if (!user?.email_key) return
  const others = (await listUsersByEmail(tx, user.email_key)).filter((one) => one.id !== user.id)
  for (const { id, level, owner, inviter, granted, created_at } of await listInvitations(tx, user.email_key)) {
    if (!isMeant(user, owner, inviter) || others.some((other) => isMeant(other, owner, inviter))) continue
    await deleteGrant(tx, granted, id)
    const holder = { user: user.id }
    const known = await findGrantOf(tx, granted, holder)
    if (user.id === owner.id || (known && known.level >= level)) continue
    await saveGrant(tx, granted, holder, { id, level, by: inviter.id, now: created_at })
  }
}

/**
 * The grant that a path names: by its own id, or by that of the user or group that holds it; `me` is the caller.
 * @throws COLLABORATOR_NOT_FOUND when there is none that the caller may know of
 */
export async function loadCollaborator(
  queries: Queries,
  actor: Actor,
  { on, id }: Granted,
  rights: ResourceRights,
  idOrMe: string,
): Promise<GrantRow> {
  const asked = idOrMe === 'me' ? actor.id : idOrMe
  const grants = (await listGrants(queries, on, [id])).get(id) ?? []
  const grant = grants.find(({ id, user_id, group_id }) => asked === id || asked === user_id || asked === group_id)
  if (!grant || !canSeeGrant(grant, rights, actor)) fail('COLLABORATOR_NOT_FOUND')
  return grant
}

/**
 * Takes back what somebody has of this, by who administers it or by who has it.
 * @throws COLLABORATOR_NOT_FOUND, OWNER_KEEPS_RIGHTS, and one that denies it to who may only see
 */
export async function removeCollaborator(
  tx: Transaction,
  actor: Actor,
  shared: Shared,
  rights: ResourceRights,
  idOrMe: string,
): Promise<void> {
  checkIsNotOwner(shared.owner, idOrMe === 'me' ? actor.id : idOrMe)
  const grant = await loadCollaborator(tx, actor, shared, rights, idOrMe)
  if (!rights.aclAdmin && grant.user_id !== actor.id) fail(denied[shared.on])
  await deleteGrant(tx, shared, grant.id)
}

const denied = { score: 'SCORE_ACCESS_DENIED', collection: 'COLLECTION_ACCESS_DENIED' } as const
