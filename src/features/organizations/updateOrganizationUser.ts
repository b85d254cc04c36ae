import Type from 'typebox'
import { UserAdminUpdate, UserDetailsAdmin } from '../../contract/organizations.ts'
import type { Queries, Transaction } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/violations.ts'
import { fail } from '../../errors.ts'
import { type Context, operation } from '../../operation.ts'
import { isTaughtBy } from '../classes/store.ts'
import { changePlaces } from '../submissions/removal.ts'
import { acceptInvitations } from '../scores/collaborators.ts'
import { endSignIns } from '../sessions/ending.ts'
import { deletePasswordResetsOf } from '../sessions/store.ts'
import { emailKey, hashPassword, identityOf } from '../users/accounts.ts'
import { findUser, type UserRow, updatePassword, updateUser } from '../users/store.ts'
import { audit } from '../audit/audit.ts'
import { composeMember } from './compose.ts'
import { canManageRole, checkStaff, isAdministrator, loadMember, type Member } from './policy.ts'
import { changeRole, findHeir } from './roles.ts'

export const updateOrganizationUser = operation({
  id: 'updateOrganizationUser',
  tag: 'Organization',
  summary: 'Change the account of a member of an organization',
  description:
    'By its administrators, of members whose role is not above their own; teachers may give another password, and nothing ' +
    'else, to students of their classes. Another password ends the sessions and tokens of the member; another role, what ' +
    'lets others act as the member, and the member as others.',
  scopes: ['edu.admin', 'edu.admin.users'],
  checkRole: checkStaff,
  params: Type.Object({ user: Type.String() }),
  body: UserAdminUpdate,
  responses: { 200: UserDetailsAdmin },
  async handle({ ctx, actor, params, body }) {
    const staff = checkStaff(actor)
    await loadChangeable(ctx.db.read, staff, params.user, body)
    const { password } = body
    // One at a time of each account: these take a core for a while.
    const hashed = () => (password === undefined ? undefined : hashPassword(password))
    const passwordHash = await ctx.inTurn(`password ${actor.id}`, async () => hashed())
    const changed = await ctx
      .transaction(async (tx) => {
        const user = await loadChangeable(tx, staff, params.user, body)
        await changeIdentity(ctx, tx, staff, user, body)
        const { organizationRole: role } = body
        if (role !== undefined) {
          await changeRole(ctx, tx, staff, user, role, { param: 'organizationRole' })
          if (role !== user.organization_role) {
            const heir = () => findHeir(tx, staff.organization, { of: user.id, by: staff.id })
            await changePlaces(ctx, tx, { user: user.id, by: actor.id }, role, heir)
          }
        }
        if (passwordHash !== undefined) await changePassword(ctx, tx, staff, user, passwordHash)
        return (await findUser(tx, user)) ?? user
      })
      .catch((error) => {
        if (isUniqueViolation(error, 'users.username_key')) fail('USERNAME_TAKEN', { param: 'username' })
        throw error
      })
    ctx.actors.forget()
    return composeMember(ctx, changed)
  },
})

/** The member, where the actor may change this. @throws ORGANIZATION_ACCESS_DENIED, USER_NOT_FOUND, ROLE_OUT_OF_REACH */
async function loadChangeable(queries: Queries, actor: Member, id: string, body: UserAdminUpdate) {
  if (!isAdministrator(actor)) {
    const { password, ...others } = body
    const isReset = password !== undefined && namedIn(others).length === 0
    if (!isReset || !(await isTaughtBy(queries, id, actor.id))) fail('ORGANIZATION_ACCESS_DENIED')
  }
  const user = await loadMember(queries, actor, id)
  if (!canManageRole(actor, user.organization_role)) fail('ROLE_OUT_OF_REACH')
  return user
}

const changeable = ['username', 'firstname', 'lastname', 'email', 'organizationRole'] as const

const namedIn = (body: UserAdminUpdate) => changeable.filter((name) => body[name] !== undefined)

async function changeIdentity(ctx: Context, tx: Transaction, actor: Member, user: UserRow, body: UserAdminUpdate) {
  const fields = namedIn(body).filter((name) => name !== 'organizationRole')
  if (fields.length === 0) return
  const { username = user.username, firstname = user.firstname, lastname = user.lastname, email = user.email } = body
  const isSameEmail = email !== null && emailKey(email) === user.email_key
  await updateUser(tx, user.id, {
    ...identityOf({ username, firstname, lastname, email }),
    email_verified: isSameEmail ? user.email_verified : 0,
    email_vouched: body.email === undefined ? user.email_vouched : 1,
  })
  if (!isSameEmail) await deletePasswordResetsOf(tx, user.id)
  if (body.email !== undefined) await acceptInvitations(tx, user)
  const { organization, id } = actor
  await audit(tx, ctx, { organization, actor: id, action: 'user.updated', subject: user.id, details: { fields } })
}

async function changePassword(ctx: Context, tx: Transaction, actor: Member, { id }: UserRow, passwordHash: string) {
  await updatePassword(tx, id, passwordHash)
  await endSignIns(tx, id)
  const { organization } = actor
  await audit(tx, ctx, { organization, actor: actor.id, action: 'user.password-changed', subject: id })
}
