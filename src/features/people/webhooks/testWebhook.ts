import { IdParams } from '../../../contract/account.ts'
import { WebhookDelivery } from '../../../contract/webhooks.ts'
import { operation } from '../../../operation.ts'
import { sendTest } from './endpoints.ts'
import { loadEndpoint } from './policy.ts'
import { presentDelivery } from './present.ts'

export const testWebhook = operation({
  id: 'testWebhook',
  accepts: 'session',
  tag: 'Account',
  summary: 'Send a test message to a webhook',
  description: 'Its type is `webhook.ping`. The list of deliveries shows what came of it.',
  params: IdParams,
  responses: { 200: WebhookDelivery },
  async handle({ ctx, actor, params }) {
    return ctx.transaction(async (tx) =>
      presentDelivery(await sendTest(ctx, tx, await loadEndpoint(tx, actor, params.id))),
    )
  },
})
