import { IdParams } from '../../contract/account.ts'
import { fail } from '../../errors.ts'
import { Empty, operation } from '../../operation.ts'
import { auditOwn } from '../../features/people/audit/audit.ts'
import { deleteCachedActors } from './cached-actors.ts'
import { deletePersonalToken } from './store.ts'

export const revokePersonalToken = operation({
  id: 'revokePersonalToken',
  accepts: 'session',
  tag: 'Account',
  summary: 'Revoke a personal token',
  params: IdParams,
  responses: { 204: Empty },
  async handle({ ctx, actor, params: { id } }) {
    const user = actor.id
    await ctx.transaction(async (tx) => {
      if (!(await deletePersonalToken(tx, { id, user }))) fail('TOKEN_NOT_FOUND')
      deleteCachedActors(ctx, tx, [user])
      await auditOwn(tx, ctx, user, { action: 'user.access-token-revoked', details: { token: id } })
    })
  },
})
