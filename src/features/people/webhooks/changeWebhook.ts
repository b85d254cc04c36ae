import { IdParams } from '../../../contract/account.ts'
import { Webhook, WebhookChange } from '../../../contract/webhooks.ts'
import { operation } from '../../../operation.ts'
import { failWaiting } from './deliveries.store.ts'
import { auditWebhook, checkTypes, checkUrl } from './endpoints.ts'
import { updateEndpoint } from './endpoints.store.ts'
import { loadEndpoint } from './policy.ts'
import { presentWebhook } from './present.ts'

export const changeWebhook = operation({
  id: 'changeWebhook',
  accepts: 'session',
  tag: 'Account',
  summary: 'Change a webhook, or turn it on or off',
  description: 'A webhook that is turned off gets no events. What waits for it fails, and can be sent again.',
  params: IdParams,
  body: WebhookChange,
  responses: { 200: Webhook },
  async handle({ ctx, actor, params, body }) {
    const { url, types, isOn } = body
    if (url !== undefined) checkUrl(ctx, url)
    const changed = await ctx.transaction(async (tx) => {
      const endpoint = await loadEndpoint(tx, actor, params.id)
      const { id, user_id, organization_id } = endpoint
      if (types)
        checkTypes(user_id === null ? { organization: organization_id ?? '' } : { user: user_id }, types)
      const change = {
        ...(url !== undefined && { url, failing_since: null }),
        ...(types && { types: JSON.stringify([...new Set(types)]) }),
        ...(isOn === true && { off_reason: null, failing_since: null }),
        ...(isOn === false && { off_reason: 'user' as const }),
      }
      if (Object.keys(change).length > 0) {
        await updateEndpoint(tx, id, change)
        await auditWebhook(ctx, tx, endpoint, {
          by: actor.id,
          action: 'webhook.changed',
          fields: Object.keys(body),
        })
      }
      if (isOn === false) await failWaiting(tx, id)
      return { ...endpoint, ...change }
    })
    return presentWebhook(changed, ctx.clock.now())
  },
})
