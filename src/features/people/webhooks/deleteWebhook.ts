import { IdParams } from '../../../contract/account.ts'
import { Empty, operation } from '../../../operation.ts'
import { auditWebhook } from './endpoints.ts'
import { deleteEndpoint } from './endpoints.store.ts'
import { loadEndpoint } from './policy.ts'

export const deleteWebhook = operation({
  id: 'deleteWebhook',
  accepts: 'session',
  tag: 'Account',
  summary: 'Delete a webhook',
  params: IdParams,
  responses: { 204: Empty },
  async handle({ ctx, actor, params }) {
    await ctx.transaction(async (tx) => {
      const endpoint = await loadEndpoint(tx, actor, params.id)
      await deleteEndpoint(tx, endpoint.id)
      await auditWebhook(ctx, tx, endpoint, { by: actor.id, action: 'webhook.deleted' })
    })
  },
})
