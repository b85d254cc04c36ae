import { UserCreation, UserDetailsAdmin } from '../../contract/organizations.ts'
import { isUniqueViolation } from '../../db/violations.ts'
import { fail } from '../../errors.ts'
import { operation } from '../../operation.ts'
import { acceptInvitations } from '../scores/collaborators.ts'
import { newAccount } from '../users/accounts.ts'
import { insertUser } from '../users/store.ts'
import { audit } from '../audit/audit.ts'
import { composeMember } from './compose.ts'
import { canManageRole, checkAdministrator, checkRoomForMember } from './policy.ts'

export const createOrganizationUser = operation({
  id: 'createOrganizationUser',
  tag: 'Organization',
  summary: 'Make an account for a member of an organization',
  description:
    'By its administrators, in a role that is not above one’s own. A username belongs to one account of the whole ' +
    'installation. What was shared with the e-mail address within the organization is shared with the new member at once.',
  scopes: ['edu.admin', 'edu.admin.users'],
  checkRole: checkAdministrator,
  body: UserCreation,
  responses: { 200: UserDetailsAdmin },
  async handle({ ctx, actor, body }) {
    const administrator = checkAdministrator(actor)
    const { organization } = administrator
    const { role = 'user' } = body
    if (!canManageRole(administrator, role)) fail('ROLE_OUT_OF_REACH', { param: 'role' })
    // One at a time of each account: hashing a password takes a core for a while.
    const user = await ctx.inTurn(`password ${actor.id}`, () =>
      newAccount({ ...body, role, organization }, ctx.newId(), ctx.clock.now()),
    )
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
