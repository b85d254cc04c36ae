import { ById } from '../../contract/account.ts'
import { fail } from '../../errors.ts'
import { Empty, operation } from '../../operation.ts'
import { revokePersonalToken as revoke } from './own-access.ts'

export const revokePersonalToken = operation({
  id: 'revokePersonalToken',
  accepts: 'session',
  tag: 'Account',
  summary: 'Revoke a personal token',
  params: ById,
  responses: { 204: Empty },
  async handle({ ctx, actor, params: { id } }) {
    const isRevoked = await ctx.transaction((tx) => revoke(ctx, tx, { id, user: actor.id }))
    if (!isRevoked) fail('TOKEN_NOT_FOUND')
  },
})
