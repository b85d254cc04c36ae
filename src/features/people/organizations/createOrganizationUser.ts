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
    'organization shared with the e-mail address is shared with the new member immediately. At the ' +
    'first sign-in, the member has to choose another password, because the caller knows the first one.',
  scopes: ['edu.admin', 'edu.admin.users'],
  checkRole: checkAdministrator,
  body: UserCreation,
  responses: { 200: UserDetailsAdmin },
  async handle({ ctx, actor, body, request }) {
    const administrator = checkAdministrator(actor)
    const { organization } = administrator
    const { role = 'user' } = body
    if (!canManageRole(administrator, role)) fail('ROLE_OUT_OF_REACH', { param: 'role' })
    const { min_password_length: organizationMinimum = null } =
      (await findOrganization(ctx.db.read, organization)) ?? {}
    const passwordOrigin = 'administrator' as const
    const account = { ...body, role, organization, passwordOrigin, organizationMinimum }
    // Hashing a password keeps a CPU core busy for a while, so each actor can have only one hash computed at a time.
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
