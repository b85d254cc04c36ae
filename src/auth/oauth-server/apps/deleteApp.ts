import { ById } from '../../../contract/account.ts'
import { fail } from '../../../errors.ts'
import { Empty, operation } from '../../../operation.ts'
import { endApp } from './own-apps.ts'

export const deleteApp = operation({
  id: 'deleteApp',
  accepts: 'session',
  tag: 'Account',
  summary: 'Delete an app, with the access that users have given it',
  params: ById,
  responses: { 204: Empty },
  async handle({ ctx, actor, params: { id } }) {
    const isDeleted = await ctx.transaction((tx) => endApp(ctx, tx, { id, owner: actor.id }))
    if (!isDeleted) fail('APP_NOT_FOUND')
  },
})
