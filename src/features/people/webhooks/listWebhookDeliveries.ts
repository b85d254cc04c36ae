import { IdParams } from '../../../contract/account.ts'
import { WebhookDeliveries, WebhookDeliveriesQuery } from '../../../contract/webhooks.ts'
import { fail } from '../../../errors.ts'
import { isId } from '../../../lib/ids.ts'
import { operation } from '../../../operation.ts'
import { listDeliveries } from './deliveries.store.ts'
import { loadEndpoint } from './policy.ts'
import { presentDelivery } from './present.ts'

const pageLength = 25

export const listWebhookDeliveries = operation({
  id: 'listWebhookDeliveries',
  accepts: 'session',
  tag: 'Account',
  summary: 'List the deliveries to a webhook, newest first',
  params: IdParams,
  query: WebhookDeliveriesQuery,
  responses: { 200: WebhookDeliveries },
  async handle({ ctx, actor, params, query: { cursor } }) {
    if (cursor !== undefined && !isId(cursor)) fail('INVALID_CURSOR', { param: 'cursor' })
    const { id } = await loadEndpoint(ctx.db.read, actor, params.id)
    const rows = await listDeliveries(ctx.db.read, id, { before: cursor, limit: pageLength + 1 })
    const page = rows.slice(0, pageLength)
    const next = rows.length > pageLength ? (page.at(-1)?.id ?? null) : null
    return { deliveries: page.map(presentDelivery), next }
  },
})
