import { OrganizationSummary } from '../../../contract/organization-overview.ts'
import { fail } from '../../../errors.ts'
import { operation } from '../../../operation.ts'
import { countOpenInvitations } from '../organizations/invitations.store.ts'
import { checkAdministrator } from '../organizations/policy.ts'
import { findOrganization } from '../organizations/store.ts'
import { storageOfOrganization } from '../storage/quota.ts'
import { countClassesByState, countMembersByRole } from './store.ts'

export const getOrganizationSummary = operation({
  id: 'getOrganizationSummary',
  accepts: 'session',
  tag: 'Organization',
  summary: 'Count the members, classes and open invitations of the organization, and its storage',
  responses: { 200: OrganizationSummary },
  async handle({ ctx, actor }) {
    const { organization: id } = checkAdministrator(actor)
    const queries = ctx.db.read
    const organization = (await findOrganization(queries, id)) ?? fail('ORGANIZATION_NOT_FOUND')
    const [members, storage, openInvitations, classes] = await Promise.all([
      countMembersByRole(queries, id),
      storageOfOrganization(ctx, queries, organization),
      countOpenInvitations(queries, id, ctx.clock.now()),
      countClassesByState(queries, id),
    ])
    return {
      members: { user: 0, teacher: 0, admin: 0, accountAdmin: 0, ...members },
      seats: organization.max_seats,
      storage,
      openInvitations,
      classes: { inactive: 0, active: 0, archived: 0, ...classes },
    }
  },
})
