import { UserCreation, UserDetailsAdmin } from '../../../contract/organizations.ts'
import { isUniqueViolation } from '../../../platform/db/violations.ts'
import { fail } from '../../../errors.ts'
import { operation } from '../../../operation.ts'
import { acceptInvitations } from '../../library/scores/collaborators.ts'
import { newAccount } from '../users/accounts.ts'
import { insertUser } from '../users/store.ts'
import { audit } from '../audit/audit.ts'
import { composeMember } from './compose.ts'
import { findOrganization } from './store.ts'
import { canManageRole, checkAdministrator, checkRoomForMember } from './policy.ts'

export const createOrganizationUser = operation({
  id: 'createOrganizationUser',
  tag: 'Organization',
  summary: 'Create an account for a member of an organization',
  description:
    'Available to administrators of the organization. The role must not be above the caller’s own ' +
    'role. Usernames are unique in the whole installation. Everything that members of the ' +
    'organization shared with the e-mail address is shared with the new member immediately. The first ' +
    'sign-in with the password asks the member to choose another one, because the caller knows it.',
  scopes: ['edu.admin', 'edu.admin.users'],
  checkRole: checkAdministrator,
  body: UserCreation,
  responses: { 200: UserDetailsAdmin },
  async handle({ ctx, actor, body, request }) {
    const administrator = checkAdministrator(actor)
    const { organization } = administrator
    const { role = 'user' } = body
    if (!canManageRole(administrator, role)) fail('ROLE_OUT_OF_REACH', { param: 'role' })
    // One hash at a time for each actor, because hashing a password takes a core for a while.
    const { min_password_length: organizationMinimum = null } =
      (await findOrganization(ctx.db.read, organization)) ?? {}
    const fields = { ...body, role, organization, passwordOrigin: 'administrator' as const }
    const account = { ...fields, organizationMinimum }
    const user = await ctx.keyedMutex(`password ${actor.id}`, request, () => newAccount(ctx, account))
    await ctx
      .transaction(async (tx) => {
        await checkRoomForMember(tx, organization)
        await insertUser(tx, user)
        await acceptInvitations(tx, user)
        const [subject, details] = [user.id, { role }]
        await audit(tx, ctx, { organization, actor: actor.id, action: 'user.created', subject, details })
      })
      .catch((error) => {
        if (isUniqueViolation(error, 'users.username_key')) fail('USERNAME_TAKEN', { param: 'username' })
        throw error
      })
    return composeMember(ctx, user)
  },
})
