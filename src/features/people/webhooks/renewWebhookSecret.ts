import { IdParams } from '../../../contract/account.ts'
import { WebhookWithSecret } from '../../../contract/webhooks.ts'
import { operation } from '../../../operation.ts'
import { auditWebhook } from './endpoints.ts'
import { updateEndpoint } from './endpoints.store.ts'
import { loadEndpoint } from './policy.ts'
import { presentWebhook } from './present.ts'
import { makeSecret, rotated } from './secrets.ts'

export const renewWebhookSecret = operation({
  id: 'renewWebhookSecret',
  accepts: 'session',
  tag: 'Account',
  summary: 'Give a webhook a new secret',
  description: 'For 24 hours, messages are signed with the secret before it as well.',
  params: IdParams,
  returnsSecret: true,
  responses: { 200: WebhookWithSecret },
  async handle({ ctx, actor, params }) {
    return ctx.transaction(async (tx) => {
      const endpoint = await loadEndpoint(tx, actor, params.id)
      const { secret, text } = makeSecret(ctx, endpoint.id)
      const change = rotated(ctx, endpoint, secret)
      await updateEndpoint(tx, endpoint.id, change)
      await auditWebhook(ctx, tx, endpoint, { by: actor.id, action: 'webhook.changed', fields: ['secret'] })
      return { ...presentWebhook({ ...endpoint, ...change }, ctx.clock.now()), secret: text }
    })
  },
})
