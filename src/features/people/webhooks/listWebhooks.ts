import { Webhooks } from '../../../contract/webhooks.ts'
import { operation } from '../../../operation.ts'
import { listEndpoints } from './endpoints.store.ts'
import { audiencesOf } from './policy.ts'
import { presentWebhook } from './present.ts'

export const listWebhooks = operation({
  id: 'listWebhooks',
  accepts: 'session',
  tag: 'Account',
  summary: 'List the webhooks of the user, and for an administrator also those of the organization',
  responses: { 200: Webhooks },
  async handle({ ctx, actor }) {
    const lists = await Promise.all(
      audiencesOf(actor).map((audience) => listEndpoints(ctx.db.read, audience)),
    )
    return lists.flat().map((row) => presentWebhook(row, ctx.clock.now()))
  },
})
