import { IdParams } from '../../../contract/account.ts'
import { Empty, operation } from '../../../operation.ts'
import { audit } from '../../../features/people/audit/audit.ts'
import { deleteAuthorizationsTo } from '../../tokens/authorizations.store.ts'
import { deleteCachedActors } from '../../tokens/cached-actors.ts'

export const disconnectApp = operation({
  id: 'disconnectApp',
  accepts: 'session',
  tag: 'Account',
  summary: 'Revoke the authorization of an app',
  params: IdParams,
  responses: { 204: Empty },
  async handle({ ctx, actor, params: { id } }) {
    const user = actor.id
    await ctx.transaction(async (tx) => {
      if (!(await deleteAuthorizationsTo(tx, { user, app: id }))) return
      deleteCachedActors(ctx, tx, [user])
      const event = { organization: { of: user }, actor: user, subject: id }
      await audit(tx, ctx, { ...event, action: 'app.authorization-revoked' })
    })
  },
})
