import { IdParams } from '../../../contract/account.ts'
import { fail } from '../../../errors.ts'
import { Empty, operation } from '../../../operation.ts'
import { audit } from '../../../features/people/audit/audit.ts'
import { deleteCachedActors } from '../../tokens/cached-actors.ts'
import { deleteAppOf, listUsersOfApp } from './store.ts'

export const deleteApp = operation({
  id: 'deleteApp',
  accepts: 'session',
  tag: 'Account',
  summary: 'Delete an app, with the access that users have given it',
  params: IdParams,
  responses: { 204: Empty },
  async handle({ ctx, actor, params: { id } }) {
    const owner = actor.id
    await ctx.transaction(async (tx) => {
      const users = await listUsersOfApp(tx, id)
      if (!(await deleteAppOf(tx, { id, owner }))) fail('APP_NOT_FOUND')
      deleteCachedActors(ctx, tx, users)
      const event = { organization: { of: owner }, actor: owner, subject: id }
      await audit(tx, ctx, { ...event, action: 'app.deleted' })
    })
  },
})
