import type { OrganizationRole } from '../../contract/users.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { isUniqueViolation } from '../../platform/db/violations.ts'
import { fail } from '../../errors.ts'
import { audit } from '../../features/people/audit/audit.ts'
import {
  allowsSignUp,
  findInvitationByCode,
  type InvitationByCode,
  isOpen,
  saveInvitationUse,
} from '../../features/people/organizations/invitations.store.ts'
import { checkRoomForMember, rankOf } from '../../features/people/organizations/policy.ts'
import { changeRole } from '../../features/people/departures/members.ts'
import { acceptInvitations } from '../../features/library/scores/collaborators.ts'
import { changeOrganization } from '../../features/people/storage/quota.ts'
import { newAccount } from '../../features/people/users/accounts.ts'
import {
  type Credentials,
  findUser,
  insertUser,
  type UserRow,
  updateUser,
} from '../../features/people/users/store.ts'
import { deleteCachedActors } from '../tokens/cached-actors.ts'
import { checkIsSignedIn, type SessionUser } from '../sessions/session-user.ts'
import type { Context } from '../../context.ts'

/** The effect that an invitation would have for an account. */
export type InvitationEffect = 'joins' | 'gets role' | 'is in' | 'elsewhere'

/** Returns the effect of an invitation. An invitation never lowers the role of a member. */
export function invitationEffect(
  user: Pick<UserRow, 'organization_id' | 'organization_role' | 'is_test_student'>,
  { organization_id, role }: { organization_id: string; role: OrganizationRole },
): InvitationEffect {
  if (user.organization_id === null) return 'joins'
  if (user.organization_id !== organization_id || user.is_test_student === 1) return 'elsewhere'
  return rankOf(user.organization_role ?? 'user') >= rankOf(role) ? 'is in' : 'gets role'
}

async function loadOpenInvitation(
  { clock }: Context,
  tx: Transaction,
  code: string,
): Promise<InvitationByCode> {
  const invitation = await findInvitationByCode(tx, code)
  if (!invitation || !isOpen(invitation, clock.now())) fail('INVITATION_NOT_FOUND')
  return invitation
}

/**
 * Adds an account to the organization by an invitation, or raises the role of a member. If several users send
 * a single-use invitation concurrently, one of them succeeds.
 * @throws UNAUTHORIZED when the session has ended; INVITATION_NOT_FOUND for an invalid invitation;
 *   SEATS_EXHAUSTED; ORGANIZATION_ACCESS_DENIED for an account of another organization
 */
export async function joinByInvitation(ctx: Context, code: string, sessionUser: SessionUser): Promise<void> {
  await ctx.transaction(async (tx) => {
    await checkIsSignedIn(ctx, tx, sessionUser.session)
    const invitation = await loadOpenInvitation(ctx, tx, code)
    const { organization_id: organization, role, email_key, invited_by: by } = invitation
    const user = await findUser(tx, sessionUser.user)
    const effect = user ? invitationEffect(user, invitation) : 'elsewhere'
    if (!user || effect === 'elsewhere') fail('ORGANIZATION_ACCESS_DENIED')
    if (effect === 'is in') return
    if (effect === 'gets role') {
      await changeRole(ctx, tx, { organization, by }, user, role)
    } else {
      await checkRoomForMember(tx, organization)
      // The organization vouches only for the address that it has invited.
      const email_vouched = email_key !== null && email_key === user.email_key ? 1 : 0
      await updateUser(tx, user.id, { organization_id: organization, organization_role: role, email_vouched })
      await changeOrganization(tx, user.id, { organization, joins: true })
      deleteCachedActors(ctx, tx, [user.id])
      await acceptInvitations(tx, user)
    }
    await recordUse(ctx, tx, invitation, user.id)
  })
}

/** The fields of the sign-up form. */
export interface SignUp {
  username: string
  password: string
  firstname: string
  lastname: string
  locale: string
}

/**
 * Creates an account in the organization of an invitation.
 * @param caller the network of the client
 * @throws USERNAME_TAKEN, INVALID_PARAMETER, SERVER_BUSY, and the errors of `joinByInvitation`
 */
export async function signUpByInvitation(
  ctx: Context,
  caller: string,
  invitation: InvitationByCode,
  form: SignUp,
): Promise<Credentials> {
  const { organization_id: organization, role, email, code } = invitation
  const organizationMinimum = invitation.min_password_length
  const account = { ...form, email, organization, role, organizationMinimum }
  const user = await ctx.auth.passwordHashLimiter.run({ caller }, () => newAccount(ctx, account))
  return ctx
    .transaction(async (tx) => {
      const invitation = await loadOpenInvitation(ctx, tx, code)
      if (!allowsSignUp(invitation)) fail('INVITATION_NOT_FOUND')
      await checkRoomForMember(tx, organization)
      await insertUser(tx, user)
      await acceptInvitations(tx, user)
      await recordUse(ctx, tx, invitation, user.id)
      return user
    })
    .catch((error) => {
      if (isUniqueViolation(error, 'users.username_key')) fail('USERNAME_TAKEN', { param: 'username' })
      throw error
    })
}

async function recordUse(
  ctx: Context,
  tx: Transaction,
  invitation: InvitationByCode,
  user: string,
): Promise<void> {
  const { id, organization_id: organization, role } = invitation
  await saveInvitationUse(tx, id, user, ctx.clock.now())
  const details = { invitation: id, role }
  await audit(tx, ctx, { organization, actor: user, action: 'invitation.accepted', subject: user, details })
}
