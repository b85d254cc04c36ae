import { Answer } from '../../../answer.ts'
import { NewWebhook, WebhookWithSecret } from '../../../contract/webhooks.ts'
import { operation } from '../../../operation.ts'
import { checkAdministrator } from '../organizations/policy.ts'
import { addEndpoint } from './endpoints.ts'
import { presentWebhook } from './present.ts'

export const addWebhook = operation({
  id: 'addWebhook',
  accepts: 'session',
  tag: 'Account',
  summary: 'Add a webhook',
  description: 'Only this answer, and that of a new secret, contain the secret.',
  body: NewWebhook,
  returnsSecret: true,
  responses: { 201: WebhookWithSecret },
  async handle({ ctx, actor, body: { url, types, isOfOrganization } }) {
    const audience = isOfOrganization
      ? { organization: checkAdministrator(actor).organization }
      : { user: actor.id }
    const { endpoint, secret } = await addEndpoint(ctx, audience, { url, types, by: actor.id })
    return new Answer({ ...presentWebhook(endpoint, ctx.clock.now()), secret }, { status: 201 })
  },
})
