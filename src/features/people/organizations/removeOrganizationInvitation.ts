import Type from 'typebox'
import { fail } from '../../../errors.ts'
import { isId } from '../../../lib/ids.ts'
import { Empty, operation } from '../../../operation.ts'
import { audit } from '../audit/audit.ts'
import { deleteInvitation, findInvitation } from './invitations.store.ts'
import { canManageRole, checkAdministrator } from './policy.ts'

export const removeOrganizationInvitation = operation({
  id: 'removeOrganizationInvitation',
  tag: 'Organization',
  summary: 'Remove an invitation',
  description: 'The code and the link stop working. Users who joined by the invitation stay members.',
  scopes: ['edu.admin', 'edu.admin.users'],
  checkRole: checkAdministrator,
  params: Type.Object({ invitation: Type.String() }),
  responses: { 204: Empty },
  async handle({ ctx, actor, params: { invitation: id } }) {
    const administrator = checkAdministrator(actor)
    const { organization } = administrator
    await ctx.transaction(async (tx) => {
      const invitation = isId(id) ? await findInvitation(tx, { organization, id }) : undefined
      if (!invitation) fail('INVITATION_NOT_FOUND')
      const { role } = invitation
      if (!canManageRole(administrator, role)) fail('ROLE_OUT_OF_REACH')
      await deleteInvitation(tx, id)
      const details = { role }
      await audit(tx, ctx, {
        organization,
        actor: actor.id,
        action: 'invitation.removed',
        subject: id,
        details,
      })
    })
  },
})
