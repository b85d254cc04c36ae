import { OrganizationInvitation, OrganizationInvitationCreation } from '../../contract/organizations.ts'
import type { Queries } from '../../db/database.ts'
import { fail } from '../../errors.ts'
import { Answer, operation } from '../../operation.ts'
import { changePlaces } from '../submissions/removal.ts'
import { emailKey, isEmailAddress } from '../users/accounts.ts'
import { listUsersByEmail } from '../users/store.ts'
import { audit } from '../audit/audit.ts'
import { presentInvitation, saveInvitation } from './invitations.ts'
import { canManageRole, checkAdministrator } from './policy.ts'
import { changeRole, findHeir, type WithRole } from './roles.ts'

export const createOrganizationInvitation = operation({
  id: 'createOrganizationInvitation',
  tag: 'Organization',
  summary: 'Invite somebody to an organization',
  description:
    'To a role that is not above one’s own. Without `email`, whoever has the code may use it, as often as wanted. Who has ' +
    'this address and is in the organization already gets the role at once, and no invitation is made. No mail is sent: ' +
    'give the code or the link to whom it is for.',
  scopes: ['edu.admin', 'edu.admin.users'],
  checkRole: checkAdministrator,
  body: OrganizationInvitationCreation,
  responses: { 200: OrganizationInvitation },
  async handle({ ctx, actor, body: { email, organizationRole: role = 'teacher' } }) {
    const administrator = checkAdministrator(actor)
    if (!canManageRole(administrator, role)) fail('ROLE_OUT_OF_REACH', { param: 'organizationRole' })
    if (email !== undefined && !isEmailAddress(email)) refuseEmail('is not an e-mail address')
    const { organization } = administrator
    const invitation = await ctx.transaction(async (tx) => {
      const member = email === undefined ? undefined : await findMemberByEmail(tx, organization, email)
      if (member) {
        await changeRole(ctx, tx, administrator, member, role)
        const heir = () => findHeir(tx, organization, { of: member.id, by: actor.id })
        if (role !== member.organization_role) {
          await changePlaces(ctx, tx, { user: member.id, by: actor.id }, role, heir)
        }
        const common = { organization, organizationRole: role, customCode: null, allowMultipleUse: false }
        return { ...common, email, invitedBy: actor.id, usedBy: [member.id] }
      }
      const row = await saveInvitation(tx, {
        id: ctx.newId(),
        organization_id: organization,
        role,
        email: email ?? null,
        email_key: email === undefined ? null : emailKey(email),
        invited_by: actor.id,
        allows_multiple_use: email === undefined ? 1 : 0,
        created_at: ctx.clock.now(),
        used_at: null,
      })
      const [subject, details] = [row.id, { role }]
      await audit(tx, ctx, { organization, actor: actor.id, action: 'invitation.created', subject, details })
      return presentInvitation(row, [], administrator, ctx.config.publicUrl)
    })
    if (invitation.usedBy?.length) ctx.actors.forget()
    return new Answer(invitation, { headers: { 'Cache-Control': 'no-store' } })
  },
})

/** Who of the organization has this address. Where several share it, as a family may, nobody can say who is meant. */
async function findMemberByEmail(queries: Queries, organization: string, email: string): Promise<WithRole | undefined> {
  const [member, ...others] = (await listUsersByEmail(queries, emailKey(email))).filter((user) => {
    return user.organization_id === organization && (user.email_verified === 1 || user.email_vouched === 1)
  })
  if (others.length > 0) refuseEmail('is the address of several members: change the role of the one who is meant')
  return member
}

function refuseEmail(why: string): never {
  fail('INVALID_PARAMETER', { param: 'email', message: `\`email\` ${why}.` })
}
