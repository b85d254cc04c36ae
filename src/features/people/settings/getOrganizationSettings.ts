import { OrganizationSettings } from '../../../contract/organization-settings.ts'
import { fail } from '../../../errors.ts'
import { operation } from '../../../operation.ts'
import { checkAdministrator } from '../organizations/policy.ts'
import { countSeats, findOrganization } from '../organizations/store.ts'
import { storageOfOrganization } from '../storage/quota.ts'
import { proofFor } from './proof.ts'
import { rulesOf } from './rules.ts'
import { countActiveClasses } from './store.ts'

export const getOrganizationSettings = operation({
  id: 'getOrganizationSettings',
  accepts: 'session',
  tag: 'Organization',
  summary: 'Get the rules, the limits and the storage of the organization',
  responses: { 200: OrganizationSettings },
  async handle({ ctx, actor }) {
    const { organization: id } = checkAdministrator(actor)
    const { config } = ctx
    const queries = ctx.db.read
    const organization = (await findOrganization(queries, id)) ?? fail('ORGANIZATION_NOT_FOUND')
    const [storage, members, classes, proof] = await Promise.all([
      storageOfOrganization(ctx, queries, organization),
      countSeats(queries, id),
      countActiveClasses(queries, id),
      proofFor(queries, actor),
    ])
    return {
      name: organization.name,
      rules: rulesOf(organization),
      storage,
      seats: { used: members, allowed: organization.max_seats },
      classes: { used: classes, allowed: organization.max_classes },
      retentionDays: organization.retention_days,
      server: {
        minPasswordLength: config.passwordLength,
        administratorPasswordLength: config.administratorPasswordLength,
        invitationDays: config.invitationDays,
      },
      proof,
    }
  },
})
