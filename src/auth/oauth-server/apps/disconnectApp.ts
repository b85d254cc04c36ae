import { ById } from '../../../contract/account.ts'
import { Empty, operation } from '../../../operation.ts'
import { revokeAppAccess } from '../../tokens/own-access.ts'

export const disconnectApp = operation({
  id: 'disconnectApp',
  accepts: 'session',
  tag: 'Account',
  summary: 'Take back the access of an app',
  params: ById,
  responses: { 204: Empty },
  async handle({ ctx, actor, params: { id } }) {
    await ctx.transaction((tx) => revokeAppAccess(ctx, tx, { user: actor.id, app: id }))
  },
})
