import type { Scope } from '../../contract/scopes.ts'
import { compiled, type Params } from '../../db/compiled.ts'
import type { Queries, Transaction } from '../../db/database.ts'
import type { AccessTokensTable } from '../../db/sign-in-tables.ts'
import type { DeferredWrite } from '../../db/write-behind.ts'
import type { Actor } from '../../operation.ts'
import { deleteAuthorization, deleteAuthorizationsOf } from './authorizations.ts'

const holderByHash = compiled((db, p: Params<{ hash: string; now: number }>) =>
  db
    .selectFrom('access_tokens')
    .innerJoin('users', 'users.id', 'access_tokens.user_id')
    .where('access_tokens.hash', '=', p('hash'))
    .where('users.deletion_at', 'is', null)
    .where((eb) => eb.or([eb('access_tokens.expires_at', 'is', null), eb('access_tokens.expires_at', '>', p('now'))]))
    .select([
      'access_tokens.id as token_id',
      'access_tokens.app_id',
      'access_tokens.scopes',
      'access_tokens.created_by',
      'users.id',
      'users.organization_id',
      'users.organization_role',
      'users.locale',
    ]),
)

/** A token that has not run out, of an account that was not removed. */
export async function findAccessToken(
  queries: Queries,
  token: { hash: string; now: number },
): Promise<AccessTokensTable | undefined> {
  return queries
    .selectFrom('access_tokens')
    .innerJoin('users', 'users.id', 'access_tokens.user_id')
    .where('access_tokens.hash', '=', token.hash)
    .where('users.deletion_at', 'is', null)
    .where((eb) => eb.or([eb('access_tokens.expires_at', 'is', null), eb('access_tokens.expires_at', '>', token.now)]))
    .selectAll('access_tokens')
    .executeTakeFirst()
}

/** Whose token it is, if it is one and has not run out, of an account that was not removed. */
export async function findTokenHolder(
  queries: Queries,
  token: { hash: string; now: number },
): Promise<Actor | undefined> {
  const [row] = await holderByHash(queries, token)
  if (!row) return undefined
  return {
    id: row.id,
    organization: row.organization_id ?? undefined,
    organizationRole: row.organization_role ?? undefined,
    locale: row.locale,
    token: {
      id: row.token_id,
      app: row.app_id ?? undefined,
      isDelegated: row.created_by !== null,
      scopes: new Set<Scope>(JSON.parse(row.scopes)),
    },
  }
}

export async function insertAccessToken(tx: Transaction, token: AccessTokensTable): Promise<void> {
  await tx.insertInto('access_tokens').values(token).execute()
}

/** The tokens of a user, the oldest first, those of apps among them. */
export async function listAccessTokens(queries: Queries, user: string): Promise<AccessTokensTable[]> {
  return queries.selectFrom('access_tokens').selectAll().where('user_id', '=', user).orderBy('id').execute()
}

/** How many tokens somebody has made for their own programs that hold still; those that do so no more are forgotten. */
export async function countPersonalTokens(
  tx: Transaction,
  { user, now }: { user: string; now: number },
): Promise<number> {
  await tx
    .deleteFrom('access_tokens')
    .where('user_id', '=', user)
    .where('app_id', 'is', null)
    .where('expires_at', '<=', now)
    .execute()
  const tokens = await tx
    .selectFrom('access_tokens')
    .select('id')
    .where('user_id', '=', user)
    .where('app_id', 'is', null)
    .where('created_by', 'is', null)
    .execute()
  return tokens.length
}

/** Ends this token, and nothing that was got with it. */
export async function deleteAccessTokenAlone(tx: Transaction, id: string): Promise<void> {
  await tx.deleteFrom('access_tokens').where('id', '=', id).execute()
}

/** Ends a personal token of this user. Whether there was such a one. */
export async function deletePersonalToken(tx: Transaction, token: { id: string; user: string }): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('access_tokens')
    .where('id', '=', token.id)
    .where('user_id', '=', token.user)
    .where('app_id', 'is', null)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Ends a token, of an app with all that has come of the same authorization. Whose it was; undefined where there was none. */
export async function deleteAccessToken(tx: Transaction, id: string): Promise<string | undefined> {
  const token = await tx
    .selectFrom('access_tokens')
    .select(['user_id', 'authorization_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!token) return undefined
  await deleteAccessTokenAlone(tx, id)
  if (token.authorization_id) await deleteAuthorization(tx, token.authorization_id)
  return token.user_id
}

/** Ends all tokens of a user, and what apps could get new ones with. */
export async function deleteTokensOf(tx: Transaction, user: string): Promise<void> {
  await deleteAuthorizationsOf(tx, user)
  await tx.deleteFrom('access_tokens').where('user_id', '=', user).execute()
}

/** Ends the tokens that this user has had made for others, and those that others have had made for this user. */
export async function deleteDelegatedTokens(tx: Transaction, user: string): Promise<void> {
  await tx.deleteFrom('access_tokens').where('created_by', '=', user).execute()
  await tx.deleteFrom('access_tokens').where('user_id', '=', user).where('created_by', 'is not', null).execute()
}

/** Forgets the tokens that were made for others and have run out. */
export async function deleteSpentDelegatedTokens(tx: Transaction, now: number): Promise<void> {
  await tx.deleteFrom('access_tokens').where('created_by', 'is not', null).where('expires_at', '<=', now).execute()
}

/** Notes when a token was last used: id of the token → milliseconds. */
export const tokenLastUse: DeferredWrite = {
  name: 'token last use',
  merge: Math.max,
  async flush(tx, notes) {
    for (const [id, last_used_at] of notes) {
      await tx.updateTable('access_tokens').set({ last_used_at }).where('id', '=', id).execute()
    }
  },
}
