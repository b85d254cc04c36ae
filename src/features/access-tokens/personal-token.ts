import type { AccessTokensTable } from '../../db/sign-in-tables.ts'
import { hashToken, newPersonalToken } from '../../lib/tokens.ts'
import type { Context } from '../../operation.ts'
import { insertAccessToken } from './store.ts'

/**
 * Makes a token, and the row in which its hash is kept; the token itself is seen this once.
 * @param expiresAt milliseconds since 1970; it holds until it is revoked where nothing is said
 */
export function preparePersonalToken(
  ctx: Context,
  user: string,
  name: string,
  scopes: readonly string[],
  expiresAt?: number,
): { token: string; row: AccessTokensTable } {
  const token = newPersonalToken()
  const row = {
    id: ctx.newId(),
    user_id: user,
    app_id: null,
    name,
    hash: hashToken(token),
    scopes: JSON.stringify(scopes),
    created_at: ctx.clock.now(),
    expires_at: expiresAt ?? null,
    last_used_at: null,
    created_by: null,
    authorization_id: null,
  }
  return { token, row }
}

/** Makes a token that holds from now on. */
export async function createPersonalToken(
  ctx: Context,
  user: string,
  name: string,
  scopes: readonly string[],
): Promise<string> {
  const { token, row } = preparePersonalToken(ctx, user, name, scopes)
  await ctx.transaction((tx) => insertAccessToken(tx, row))
  return token
}
