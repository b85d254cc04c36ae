import type { Context } from '../../src/context.ts'
import { preparePersonalToken } from '../../src/auth/tokens/personal-token.ts'
import { insertAccessToken } from '../../src/auth/tokens/store.ts'

/** Creates and stores a personal token without expiry. */
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
