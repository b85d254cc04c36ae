import Type from 'typebox'
import { UserAdminUpdate, UserDetailsAdmin } from '../../../contract/organizations.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import { isUniqueViolation } from '../../../platform/db/violations.ts'
import { fail } from '../../../errors.ts'
import type { Context } from '../../../context.ts'
import { operation } from '../../../operation.ts'
import { hasProviderAccount } from '../../../auth/providers/store.ts'
import { checkTeacherCanReset } from '../../teaching/classes/password-resets.ts'
import { changeRole } from '../departures/members.ts'
import { acceptInvitations } from '../../library/scores/collaborators.ts'
import { deleteCachedActors } from '../../../auth/tokens/cached-actors.ts'
import { deletePasswordResetsOf } from '../../../auth/sessions/store.ts'
import { emailKey, hashPassword, identityOf, passwordHolderOf } from '../users/accounts.ts'
import { findUser, type UserRow, updateUser } from '../users/store.ts'
import { audit } from '../audit/audit.ts'
import { composeMember } from './compose.ts'
import { canManageRole, checkStaff, isAdministrator, loadMember, type Member } from './policy.ts'
import { resetPassword } from './password-resets.ts'
import { checkCanChangeRole } from './roles.ts'

export const updateOrganizationUser = operation({
  id: 'updateOrganizationUser',
  tag: 'Organization',
  summary: 'Update the account of a member of an organization',
  description:
    'Administrators can update members whose role is not above their own. Teachers can only set the ' +
    'password of students whom an administrator, a roster or the students themselves, with the enrolment ' +
    'code, placed in their classes, and only if the organization allows it and the student does not sign in ' +
    'through a provider. A new password ends the sessions and tokens of the member, who is told of it. A new role ends the tokens and links with which the member acts for other users, or ' +
    'other users act for the member.',
  scopes: ['edu.admin', 'edu.admin.users'],
  checkRole: checkStaff,
  params: Type.Object({ user: Type.String() }),
  body: UserAdminUpdate,
  responses: { 200: UserDetailsAdmin },
  async handle({ ctx, actor, params, body, request }) {
    const staff = checkStaff(actor)
    const member = await loadChangeable(ctx.db.read, staff, params.user, body)
    const { password, organizationRole: role = member.organization_role } = body
    const { username = member.username } = body
    const holder = { ...passwordHolderOf(member), role, owner: { ...member, ...body, username } }
    // One hash at a time for each actor, because hashing a password takes a core for a while.
    const hashNewPassword = () =>
      password === undefined ? undefined : hashPassword(ctx.config, { password, ...holder })
    const passwordHash = await ctx.keyedMutex(`password ${actor.id}`, request, async () => hashNewPassword())
    const changed = await ctx
      .transaction(async (tx) => {
        const user = await loadChangeable(tx, staff, params.user, body)
        deleteCachedActors(ctx, tx, [user.id])
        await changeIdentity(ctx, tx, staff, user, body)
        const { organizationRole: role } = body
        if (role !== undefined) {
          checkCanChangeRole(staff, user, role, { param: 'organizationRole' })
          await changeRole(ctx, tx, { organization: staff.organization, by: staff.id }, user, role)
        }
        if (passwordHash !== undefined) await resetPassword(ctx, tx, staff, user, passwordHash)
        return (await findUser(tx, user)) ?? user
      })
      .catch((error) => {
        if (isUniqueViolation(error, 'users.username_key')) fail('USERNAME_TAKEN', { param: 'username' })
        throw error
      })
    return composeMember(ctx, changed)
  },
})

/**
 * Loads the member if the actor may make this change.
 * @throws ORGANIZATION_ACCESS_DENIED, USER_NOT_FOUND, ROLE_OUT_OF_REACH, REAUTHENTICATION_REQUIRED, and the
 *   errors of `checkTeacherCanReset`
 */
async function loadChangeable(queries: Queries, actor: Member, id: string, body: UserAdminUpdate) {
  if (!isAdministrator(actor)) {
    const { password, ...others } = body
    if (password === undefined || namedIn(others).length > 0) fail('ORGANIZATION_ACCESS_DENIED')
    const usesProvider = await hasProviderAccount(queries, { user: id })
    await checkTeacherCanReset(queries, actor, { id, usesProvider })
  }
  const user = await loadMember(queries, actor, id)
  if (!canManageRole(actor, user.organization_role)) fail('ROLE_OUT_OF_REACH')
  // Another person at an unlocked browser must not be able to take over the account: the security page asks for the password.
  const isOwnSignIn = user.id === actor.id && (body.password !== undefined || body.email !== undefined)
  if (isOwnSignIn && actor.access.kind === 'session') fail('REAUTHENTICATION_REQUIRED')
  return user
}

const changeable = ['username', 'firstname', 'lastname', 'email', 'organizationRole'] as const

const namedIn = (body: UserAdminUpdate) => changeable.filter((name) => body[name] !== undefined)

async function changeIdentity(
  ctx: Context,
  tx: Transaction,
  actor: Member,
  user: UserRow,
  body: UserAdminUpdate,
) {
  const fields = namedIn(body).filter((name) => name !== 'organizationRole')
  if (fields.length === 0) return
  const {
    username = user.username,
    firstname = user.firstname,
    lastname = user.lastname,
    email = user.email,
  } = body
  const isSameEmail = email !== null && emailKey(email) === user.email_key
  await updateUser(tx, user.id, {
    ...identityOf({ username, firstname, lastname, email }),
    email_verified: isSameEmail ? user.email_verified : 0,
    email_vouched: body.email === undefined ? user.email_vouched : 1,
  })
  if (!isSameEmail) await deletePasswordResetsOf(tx, user.id)
  if (body.email !== undefined) await acceptInvitations(tx, user)
  const { organization, id } = actor
  await audit(tx, ctx, {
    organization,
    actor: id,
    action: 'user.updated',
    subject: user.id,
    details: { fields },
  })
}
