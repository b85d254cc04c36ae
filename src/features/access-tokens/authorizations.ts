import type { Queries, Transaction } from '../../db/database.ts'
import type { AuthorizationCodesTable, AuthorizationsTable, RefreshTokensTable } from '../../db/sign-in-tables.ts'

/** A code or refresh token with what it comes of. */
export type OfAuthorization<Table> = Table & Pick<AuthorizationsTable, 'app_id' | 'user_id' | 'scopes' | 'is_offline'>

export async function insertAuthorization(tx: Transaction, authorization: AuthorizationsTable): Promise<void> {
  await tx.insertInto('authorizations').values(authorization).execute()
}

export async function insertCode(tx: Transaction, code: AuthorizationCodesTable): Promise<void> {
  await tx.insertInto('authorization_codes').values(code).execute()
}

/** A code, whether or not it can be used still, of an account that was not removed. */
export async function findCode(
  queries: Queries,
  hash: string,
): Promise<OfAuthorization<AuthorizationCodesTable> | undefined> {
  return queries
    .selectFrom('authorization_codes')
    .innerJoin('authorizations', 'authorizations.id', 'authorization_codes.authorization_id')
    .innerJoin('users', 'users.id', 'authorizations.user_id')
    .where('authorization_codes.hash', '=', hash)
    .where('users.deletion_at', 'is', null)
    .selectAll('authorization_codes')
    .select(['app_id', 'user_id', 'scopes', 'is_offline'])
    .executeTakeFirst()
}

export async function markCodeUsed(tx: Transaction, hash: string, now: number): Promise<void> {
  await tx.updateTable('authorization_codes').set({ used_at: now }).where('hash', '=', hash).execute()
}

export async function insertRefreshToken(tx: Transaction, token: RefreshTokensTable): Promise<void> {
  await tx.insertInto('refresh_tokens').values(token).execute()
}

/** A refresh token, whether or not it can be used still, of an account that was not removed. */
export async function findRefreshToken(
  queries: Queries,
  hash: string,
): Promise<OfAuthorization<RefreshTokensTable> | undefined> {
  return queries
    .selectFrom('refresh_tokens')
    .innerJoin('authorizations', 'authorizations.id', 'refresh_tokens.authorization_id')
    .innerJoin('users', 'users.id', 'authorizations.user_id')
    .where('refresh_tokens.hash', '=', hash)
    .where('users.deletion_at', 'is', null)
    .selectAll('refresh_tokens')
    .select(['app_id', 'user_id', 'scopes', 'is_offline'])
    .executeTakeFirst()
}

export async function markRefreshTokenUsed(tx: Transaction, hash: string, now: number): Promise<void> {
  await tx.updateTable('refresh_tokens').set({ used_at: now }).where('hash', '=', hash).execute()
}

/** Notes that something has come of it that holds until then. */
export async function extendAuthorization(tx: Transaction, id: string, expiresAt: number): Promise<void> {
  await tx
    .updateTable('authorizations')
    .set({ expires_at: expiresAt })
    .where('id', '=', id)
    .where('expires_at', '<', expiresAt)
    .execute()
}

/** Ends everything that has come of it: code, access tokens and refresh tokens. */
export async function deleteAuthorization(tx: Transaction, id: string): Promise<void> {
  await tx.deleteFrom('authorizations').where('id', '=', id).execute()
}

export async function deleteAuthorizationsOf(tx: Transaction, user: string): Promise<void> {
  await tx.deleteFrom('authorizations').where('user_id', '=', user).execute()
}

/** Forgets what has run out. */
export async function deleteSpentAuthorizations(tx: Transaction, now: number): Promise<void> {
  await tx.deleteFrom('authorizations').where('expires_at', '<=', now).execute()
  await tx.deleteFrom('refresh_tokens').where('expires_at', '<=', now).execute()
  await tx
    .deleteFrom('access_tokens')
    .where('authorization_id', 'is not', null)
    .where('expires_at', '<=', now)
    .execute()
}

/** An app to which somebody has given access, once or more often. */
export interface Allowed {
  app_id: string
  app_name: string
  /** JSON array. */
  scopes: string
  created_at: number
}

/** What a user has allowed to apps and holds still, the oldest first. */
export async function listAuthorizations(queries: Queries, by: { user: string; now: number }): Promise<Allowed[]> {
  return queries
    .selectFrom('authorizations')
    .innerJoin('apps', 'apps.id', 'authorizations.app_id')
    .where('user_id', '=', by.user)
    .where('expires_at', '>', by.now)
    .select(['app_id', 'apps.name as app_name', 'scopes', 'authorizations.created_at'])
    .orderBy('authorizations.id')
    .execute()
}

/** Ends everything that a user has allowed to an app. Whether there was something. */
export async function deleteAuthorizationsTo(tx: Transaction, by: { user: string; app: string }): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('authorizations')
    .where('user_id', '=', by.user)
    .where('app_id', '=', by.app)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
