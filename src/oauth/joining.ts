import type { OrganizationRole } from '../contract/users.ts'
import type { Transaction } from '../db/database.ts'
import { isUniqueViolation } from '../db/violations.ts'
import { fail } from '../errors.ts'
import { followRole } from '../features/classes/places.ts'
import { audit } from '../features/audit/audit.ts'
import {
  findInvitationByCode,
  type InvitationByCode,
  isOpen,
  saveInvitationUse,
} from '../features/organizations/invitations.ts'
import { checkRoomForMember, rankOf } from '../features/organizations/policy.ts'
import { findHeir, giveRole } from '../features/organizations/roles.ts'
import { acceptInvitations } from '../features/scores/collaborators.ts'
import { newAccount } from '../features/users/accounts.ts'
import { type Credentials, findUser, insertUser, type UserRow, updateUser } from '../features/users/store.ts'
import { checkIsSignedIn, type Visitor } from '../http/session.ts'
import type { Context } from '../operation.ts'

/** What an invitation can be to an account. */
export type Prospect = 'joins' | 'gets role' | 'is in' | 'elsewhere'

/** Nobody is made less by an invitation than they are. */
export function prospectOf(
  user: Pick<UserRow, 'organization_id' | 'organization_role' | 'is_test_student'>,
  { organization_id, role }: { organization_id: string; role: OrganizationRole },
): Prospect {
  if (user.organization_id === null) return 'joins'
  if (user.organization_id !== organization_id || user.is_test_student === 1) return 'elsewhere'
  return rankOf(user.organization_role ?? 'user') >= rankOf(role) ? 'is in' : 'gets role'
}

async function loadOpenInvitation(tx: Transaction, code: string): Promise<InvitationByCode> {
  const invitation = await findInvitationByCode(tx, code)
  if (!invitation || !isOpen(invitation)) fail('INVITATION_NOT_FOUND')
  return invitation
}

/**
 * Lets the account of somebody come by an invitation: into the organization, or, who is in it, to more than before. Of
 * several who try at once to use one that is for one use, one does.
 * @throws UNAUTHORIZED where the session has ended; INVITATION_NOT_FOUND where the invitation does not hold, SEATS_EXHAUSTED,
 * ORGANIZATION_ACCESS_DENIED for an account of another one
 */
export async function joinByInvitation(ctx: Context, code: string, visitor: Visitor): Promise<void> {
  await ctx.transaction(async (tx) => {
    await checkIsSignedIn(ctx, tx, visitor)
    const invitation = await loadOpenInvitation(tx, code)
    const { organization_id: organization, role, email_key, invited_by: by } = invitation
    const user = await findUser(tx, visitor.user)
    const prospect = user ? prospectOf(user, invitation) : 'elsewhere'
    if (!user || prospect === 'elsewhere') fail('ORGANIZATION_ACCESS_DENIED')
    if (prospect === 'is in') return
    if (prospect === 'gets role') {
      await giveRole(ctx, tx, { organization, by }, user, role)
      await followRole(ctx, tx, { user: user.id, by }, role, () => findHeir(tx, organization, { of: user.id, by }))
    } else {
      await checkRoomForMember(tx, organization)
      // The organization has given its word for the address that it has invited, and for no other one.
      const email_vouched = email_key !== null && email_key === user.email_key ? 1 : 0
      await updateUser(tx, user.id, { organization_id: organization, organization_role: role, email_vouched })
      await acceptInvitations(tx, user)
    }
    await noteUse(ctx, tx, invitation, user.id)
  })
  ctx.actors.forget()
}

/** What somebody says who makes an account. */
export interface SignUp {
  username: string
  password: string
  firstname: string
  lastname: string
  locale: string
}

/**
 * Makes an account in the organization that invites.
 * @throws as `joinByInvitation` does; USERNAME_TAKEN, INVALID_PARAMETER
 */
export async function signUpByInvitation(
  ctx: Context,
  invitation: InvitationByCode,
  about: SignUp,
): Promise<Credentials> {
  const { organization_id: organization, role, email, code } = invitation
  const account = { ...about, email, organization, role }
  const user = await ctx.passwordPlaces(() => newAccount(account, ctx.newId(), ctx.clock.now()))
  return ctx
    .transaction(async (tx) => {
      const invitation = await loadOpenInvitation(tx, code)
      if (invitation.allows_sign_up_by_code === 0) fail('INVITATION_NOT_FOUND')
      await checkRoomForMember(tx, organization)
      await insertUser(tx, user)
      await acceptInvitations(tx, user)
      await noteUse(ctx, tx, invitation, user.id)
      return user
    })
    .catch((error) => {
      if (isUniqueViolation(error, 'users.username_key')) fail('USERNAME_TAKEN', { param: 'username' })
      throw error
    })
}

async function noteUse(ctx: Context, tx: Transaction, invitation: InvitationByCode, user: string): Promise<void> {
  const { id, organization_id: organization, role } = invitation
  await saveInvitationUse(tx, id, user, ctx.clock.now())
  const details = { invitation: id, role }
  await audit(tx, ctx, { organization, actor: user, action: 'invitation.accepted', subject: user, details })
}
