import { PersonalTokens } from '../../contract/account.ts'
import { operation } from '../../operation.ts'
import { presentPersonalToken } from './personal-token.ts'
import { listAccessTokens } from './store.ts'

export const listPersonalTokens = operation({
  id: 'listPersonalTokens',
  accepts: 'session',
  tag: 'Account',
  summary: 'List the personal tokens that have not expired',
  responses: { 200: PersonalTokens },
  async handle({ ctx, actor }) {
    const now = ctx.clock.now()
    return (await listAccessTokens(ctx.db.read, actor.id))
      .filter(({ app_id, expires_at }) => app_id === null && (expires_at === null || expires_at > now))
      .map(presentPersonalToken)
  },
})
