import { RuleEffects, RulePreview } from '../../../contract/organization-settings.ts'
import { fail } from '../../../errors.ts'
import { operation } from '../../../operation.ts'
import { checkAdministrator } from '../organizations/policy.ts'
import { findOrganization } from '../organizations/store.ts'
import { effectsOf } from './effects.ts'

export const previewRules = operation({
  id: 'previewRules',
  accepts: 'session',
  tag: 'Organization',
  summary: 'Get how many members changed rules would lock out, without changing anything',
  body: RulePreview,
  responses: { 200: RuleEffects },
  async handle({ ctx, actor, body: { rules } }) {
    const { organization, id: caller } = checkAdministrator(actor)
    const before = (await findOrganization(ctx.db.read, organization)) ?? fail('ORGANIZATION_NOT_FOUND')
    return effectsOf(ctx, ctx.db.read, before, { rules, caller })
  },
})
