import type { Scope } from '../../contract/scopes.ts'
import { compiled, type Params } from '../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../platform/db/database.ts'
import type { AccessTokensTable } from '../../platform/db/sign-in-tables.ts'
import type { DeferredWrite } from '../../platform/db/write-behind.ts'
import type { Actor } from '../../actor.ts'
import { endColumnOf, endOf } from './lifetime.ts'
import { deleteAuthorization, deleteAuthorizationsOf } from './authorizations.store.ts'

const tokenByHash = compiled((db, p: Params<{ hash: string; now: number }>) =>
  db
    .selectFrom('access_tokens')
    .innerJoin('users', 'users.id', 'access_tokens.user_id')
    .leftJoin('organizations', 'organizations.id', 'users.organization_id')
    .where('access_tokens.hash', '=', p('hash'))
    .where('users.deletion_at', 'is', null)
    .where((eb) =>
      eb.or([eb('access_tokens.expires_at', 'is', null), eb('access_tokens.expires_at', '>', p('now'))]),
    )
    .selectAll('access_tokens')
    .select([
      'users.organization_id',
      'users.organization_role',
      'users.locale',
      'users.rate_limit',
      'organizations.max_token_ms',
    ]),
)

/** Finds a token that has not ended, of an account that is not removed. */
export async function findAccessToken(queries: Queries, token: { hash: string; now: number }) {
  const [row] = await tokenByHash(queries, token)
  if (!row || endOf(row, row.max_token_ms) <= token.now) return undefined
  return { ...row, expires_at: endColumnOf(row, row.max_token_ms) }
}

/** Finds the actor of a token that has not expired, of an account that is not removed. */
export async function findTokenHolder(
  queries: Queries,
  token: { hash: string; now: number },
): Promise<Actor | undefined> {
  const row = await findAccessToken(queries, token)
  if (!row) return undefined
  return {
    id: row.user_id,
    organization: row.organization_id ?? undefined,
    organizationRole: row.organization_role ?? undefined,
    locale: row.locale,
    rateLimit: row.rate_limit ?? undefined,
    access: {
      kind: 'token',
      id: row.id,
      app: row.app_id ?? undefined,
      isDelegated: row.created_by !== null,
      scopes: new Set<Scope>(JSON.parse(row.scopes)),
    },
  }
}

export async function insertAccessToken(tx: Transaction, token: AccessTokensTable): Promise<void> {
  await tx.insertInto('access_tokens').values(token).execute()
}

/** Returns the tokens of a user, including those of apps, oldest first. */
export async function listAccessTokens(queries: Queries, user: string): Promise<AccessTokensTable[]> {
  const rows = await queries
    .selectFrom('access_tokens')
    .innerJoin('users', 'users.id', 'access_tokens.user_id')
    .leftJoin('organizations', 'organizations.id', 'users.organization_id')
    .selectAll('access_tokens')
    .select('organizations.max_token_ms')
    .where('user_id', '=', user)
    .orderBy('access_tokens.id')
    .execute()
  return rows.map(({ max_token_ms, ...row }) => ({ ...row, expires_at: endColumnOf(row, max_token_ms) }))
}

/** Deletes the expired personal tokens of a user and returns the number of the others. */
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

/** Deletes an access token, but not the authorization that it was issued for. */
export async function deleteAccessTokenAlone(tx: Transaction, id: string): Promise<void> {
  await tx.deleteFrom('access_tokens').where('id', '=', id).execute()
}

/** Deletes a personal token of this user. Returns whether it existed. */
export async function deletePersonalToken(
  tx: Transaction,
  token: { id: string; user: string },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('access_tokens')
    .where('id', '=', token.id)
    .where('user_id', '=', token.user)
    .where('app_id', 'is', null)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/**
 * Deletes an access token with the authorization that it was issued for. Returns the id of its user;
 * undefined if the token does not exist.
 */
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

/** Deletes all access tokens and authorizations of a user. */
export async function deleteTokensOf(tx: Transaction, user: string): Promise<void> {
  await deleteAuthorizationsOf(tx, user)
  await tx.deleteFrom('access_tokens').where('user_id', '=', user).execute()
}

/**
 * Deletes the tokens with which this user acts for other users, and those with which other users act for this user.
 * @returns the ids of the users for whom this user had tokens
 */
export async function deleteDelegatedTokens(tx: Transaction, user: string): Promise<string[]> {
  const byUser = await tx
    .deleteFrom('access_tokens')
    .where('created_by', '=', user)
    .returning('user_id')
    .execute()
  await tx
    .deleteFrom('access_tokens')
    .where('user_id', '=', user)
    .where('created_by', 'is not', null)
    .execute()
  return byUser.map(({ user_id }) => user_id)
}

/** Deletes delegated tokens that have expired. */
export async function deleteExpiredDelegatedTokens(tx: Transaction, now: number): Promise<void> {
  await tx
    .deleteFrom('access_tokens')
    .where('created_by', 'is not', null)
    .where('expires_at', '<=', now)
    .execute()
}

const updateLastUse = compiled((db, p: Params<{ id: string; now: number }>) =>
  db
    .updateTable('access_tokens')
    .set({ last_used_at: p('now') })
    .where('id', '=', p('id')),
)

/** Stores when tokens were last used: token id → milliseconds since 1970. */
export const tokenLastUse: DeferredWrite = {
  name: 'token last use',
  merge: Math.max,
  async flush(tx, notes) {
    for (const [id, now] of notes) await updateLastUse(tx, { id, now })
  },
}
