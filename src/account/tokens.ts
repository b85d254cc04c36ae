import { ById, MadePersonalToken, NewPersonalToken, PersonalTokens } from '../contract/account.ts'
import type { AccessTokensTable } from '../db/sign-in-tables.ts'
import { fail } from '../errors.ts'
import { endPersonalToken, keepPersonalToken } from '../features/access-tokens/own-access.ts'
import { preparePersonalToken } from '../features/access-tokens/personal-token.ts'
import { countPersonalTokens, listAccessTokens } from '../features/access-tokens/store.ts'
import { checkIsSignedIn } from '../http/session.ts'
import { dateTime } from '../lib/date-time.ts'
import { accountRoute } from './route.ts'

const day = 24 * 60 * 60 * 1000
const mostTokens = 100

/** The tokens with which somebody's own programs act for them. */
export const tokenRoutes = [
  accountRoute({
    method: 'GET',
    path: '/tokens',
    response: PersonalTokens,
    async handle({ ctx, visitor }) {
      const now = ctx.clock.now()
      const tokens = await listAccessTokens(ctx.db.read, visitor.user.id)
      return tokens
        .filter(({ app_id, expires_at }) => app_id === null && (expires_at === null || expires_at > now))
        .map(presentToken)
    },
  }),

  accountRoute({
    method: 'POST',
    path: '/tokens',
    body: NewPersonalToken,
    status: 201,
    response: MadePersonalToken,
    async handle({ ctx, visitor, body: { name, scopes, days } }) {
      if (name.trim() === '') fail('INVALID_PARAMETER', { param: 'name', message: '`name` is empty.' })
      const expiresAt = days && ctx.clock.now() + days * day
      const { token, row } = preparePersonalToken(ctx, visitor.user.id, name.trim(), [...new Set(scopes)], expiresAt)
      await ctx.transaction(async (tx) => {
        await checkIsSignedIn(ctx, tx, visitor)
        const held = await countPersonalTokens(tx, { user: visitor.user.id, now: ctx.clock.now() })
        if (held >= mostTokens) fail('TOO_MANY_TOKENS')
        await keepPersonalToken(ctx, tx, row)
      })
      return { ...presentToken(row), token }
    },
  }),

  accountRoute({
    method: 'DELETE',
    path: '/tokens/{id}',
    params: ById,
    async handle({ ctx, visitor, params: { id } }) {
      const isEnded = await ctx.transaction((tx) => endPersonalToken(ctx, tx, { id, user: visitor.user.id }))
      if (!isEnded) fail('TOKEN_NOT_FOUND')
      ctx.actors.forget()
    },
  }),
]

function presentToken({ id, name, scopes, created_at, expires_at, last_used_at }: AccessTokensTable) {
  return {
    id,
    name,
    scopes: JSON.parse(scopes),
    createdAt: dateTime(created_at),
    expiresAt: expires_at === null ? null : dateTime(expires_at),
    lastUsedAt: last_used_at === null ? null : dateTime(last_used_at),
  }
}
