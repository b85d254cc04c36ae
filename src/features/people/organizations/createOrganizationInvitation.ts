import { OrganizationInvitation, OrganizationInvitationCreation } from '../../../contract/organizations.ts'
import type { Queries } from '../../../platform/db/database.ts'
import { fail } from '../../../errors.ts'
import { Answer } from '../../../answer.ts'
import { day } from '../../../lib/durations.ts'
import { operation } from '../../../operation.ts'
import { changeRole } from '../departures/members.ts'
import { emailKey, isEmailAddress } from '../users/accounts.ts'
import { listUsersByEmail } from '../users/store.ts'
import { audit } from '../audit/audit.ts'
import { presentInvitation, saveInvitation } from './invitations.store.ts'
import { canManageRole, checkAdministrator } from './policy.ts'
import { checkCanChangeRole, type WithRole } from './roles.ts'
import { findOrganization } from './store.ts'

export const createOrganizationInvitation = operation({
  id: 'createOrganizationInvitation',
  tag: 'Organization',
  summary: 'Invite a user to an organization',
  description:
    'The role must not be above the caller’s own role. Without `email`, every person who has the ' +
    'code can use it, any number of times. If a member of the organization already has the address, ' +
    'that member gets the role immediately and no invitation is created. It expires after the days that the organization sets, or `INVITATION_DAYS` (14). The server sends no mail: ' +
    'pass the code or the link to the invited person.',
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
        checkCanChangeRole(administrator, member, role)
        await changeRole(ctx, tx, { organization, by: actor.id }, member, role)
        const common = { organization, organizationRole: role, customCode: null, allowMultipleUse: false }
        return { ...common, email, invitedBy: actor.id, usedBy: [member.id] }
      }
      const now = ctx.clock.now()
      const { invitation_days = null } = (await findOrganization(tx, organization)) ?? {}
      const row = await saveInvitation(tx, {
        id: ctx.newId(),
        organization_id: organization,
        role,
        email: email ?? null,
        email_key: email === undefined ? null : emailKey(email),
        invited_by: actor.id,
        allows_multiple_use: email === undefined ? 1 : 0,
        created_at: now,
        expires_at: now + (invitation_days ?? ctx.config.invitationDays) * day,
        used_at: null,
        uses: 0,
      })
      const [subject, details] = [row.id, { role }]
      await audit(tx, ctx, { organization, actor: actor.id, action: 'invitation.created', subject, details })
      return presentInvitation(row, [], administrator, ctx.config.publicUrl)
    })
    return new Answer(invitation, { headers: { 'Cache-Control': 'no-store' } })
  },
})

/**
 * Finds the member with an address. Members of a family may share an address, so that the request would be
 * ambiguous.
 */
async function findMemberByEmail(
  queries: Queries,
  organization: string,
  email: string,
): Promise<WithRole | undefined> {
  const [member, ...others] = (await listUsersByEmail(queries, emailKey(email))).filter((user) => {
    return user.organization_id === organization && (user.email_verified === 1 || user.email_vouched === 1)
  })
  if (others.length > 0)
    refuseEmail('is the address of several members: change the role of the intended member instead')
  return member
}

function refuseEmail(problem: string): never {
  fail('INVALID_PARAMETER', { param: 'email', message: `\`email\` ${problem}.` })
}
