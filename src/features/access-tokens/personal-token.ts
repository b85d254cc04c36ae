import { hashToken, newPersonalToken } from '../../lib/tokens.ts'
import type { Context } from '../../operation.ts'
import { insertAccessToken } from './store.ts'

/** Makes a token and keeps its hash; this is the only time that it is seen. */
export async function createPersonalToken(
  ctx: Context,
  user: string,
  name: string,
  scopes: readonly string[],
): Promise<string> {
  const token = newPersonalToken()
  await ctx.transaction((tx) =>
    insertAccessToken(tx, {
      id: ctx.newId(),
      user_id: user,
      app_id: null,
      name,
      hash: hashToken(token),
      scopes: JSON.stringify(scopes),
      created_at: ctx.clock.now(),
      expires_at: null,
      last_used_at: null,
    }),
  )
  return token
}
