import { WebhookDelivery, WebhookDeliveryParams } from '../../../contract/webhooks.ts'
import { fail } from '../../../errors.ts'
import { operation } from '../../../operation.ts'
import { findDelivery } from './deliveries.store.ts'
import { sendAgain } from './endpoints.ts'
import { loadEndpoint } from './policy.ts'
import { presentDelivery } from './present.ts'

export const sendWebhookAgain = operation({
  id: 'sendWebhookAgain',
  accepts: 'session',
  tag: 'Account',
  summary: 'Send a message to a webhook again',
  description: 'It has the same `webhook-id`, by which the receiver can tell that it has it already.',
  params: WebhookDeliveryParams,
  responses: { 200: WebhookDelivery },
  async handle({ ctx, actor, params: { id, delivery } }) {
    return ctx.transaction(async (tx) => {
      const endpoint = await loadEndpoint(tx, actor, id)
      const found = await findDelivery(tx, { endpoint: endpoint.id, id: delivery })
      if (!found) fail('DELIVERY_NOT_FOUND')
      return presentDelivery(await sendAgain(ctx, tx, endpoint, found))
    })
  },
})
