import type { Queries, Transaction } from '../../platform/db/database.ts'
import type {
  AuthorizationCodesTable,
  AuthorizationsTable,
  RefreshTokensTable,
} from '../../platform/db/sign-in-tables.ts'
import { endOf } from './lifetime.ts'

/** A code or refresh token with columns of its authorization. */
export type WithAuthorization<Table> = Table &
  Pick<AuthorizationsTable, 'app_id' | 'user_id' | 'scopes' | 'is_offline'> & {
    /** When the authorization reaches the maximum age that the organization of the user sets. Infinity without one. */
    ends_at: number
  }

const authorizationColumns = [
  'app_id',
  'user_id',
  'scopes',
  'is_offline',
  'authorizations.created_at as authorized_at',
  'organizations.max_token_ms',
] as const

const withEnd = <Row extends { authorized_at: number; max_token_ms: number | null }>(row: Row) => ({
  ...row,
  ends_at: endOf({ created_at: row.authorized_at, expires_at: null }, row.max_token_ms),
})

export async function insertAuthorization(
  tx: Transaction,
  authorization: AuthorizationsTable,
): Promise<void> {
  await tx.insertInto('authorizations').values(authorization).execute()
}

export async function insertCode(tx: Transaction, code: AuthorizationCodesTable): Promise<void> {
  await tx.insertInto('authorization_codes').values(code).execute()
}

/** Finds a code, used or not, expired or not, of an account that is not removed. */
export async function findCode(
  queries: Queries,
  hash: string,
): Promise<WithAuthorization<AuthorizationCodesTable> | undefined> {
  const row = await queries
    .selectFrom('authorization_codes')
    .innerJoin('authorizations', 'authorizations.id', 'authorization_codes.authorization_id')
    .innerJoin('users', 'users.id', 'authorizations.user_id')
    .leftJoin('organizations', 'organizations.id', 'users.organization_id')
    .where('authorization_codes.hash', '=', hash)
    .where('users.deletion_at', 'is', null)
    .selectAll('authorization_codes')
    .select(authorizationColumns)
    .executeTakeFirst()
  return row && withEnd(row)
}

export async function markCodeUsed(tx: Transaction, hash: string, now: number): Promise<void> {
  await tx.updateTable('authorization_codes').set({ used_at: now }).where('hash', '=', hash).execute()
}

export async function insertRefreshToken(tx: Transaction, token: RefreshTokensTable): Promise<void> {
  await tx.insertInto('refresh_tokens').values(token).execute()
}

/** Finds a refresh token, used or not, expired or not, of an account that is not removed. */
export async function findRefreshToken(
  queries: Queries,
  hash: string,
): Promise<WithAuthorization<RefreshTokensTable> | undefined> {
  const row = await queries
    .selectFrom('refresh_tokens')
    .innerJoin('authorizations', 'authorizations.id', 'refresh_tokens.authorization_id')
    .innerJoin('users', 'users.id', 'authorizations.user_id')
    .leftJoin('organizations', 'organizations.id', 'users.organization_id')
    .where('refresh_tokens.hash', '=', hash)
    .where('users.deletion_at', 'is', null)
    .selectAll('refresh_tokens')
    .select(authorizationColumns)
    .executeTakeFirst()
  return row && withEnd(row)
}

export async function markRefreshTokenUsed(tx: Transaction, hash: string, now: number): Promise<void> {
  await tx.updateTable('refresh_tokens').set({ used_at: now }).where('hash', '=', hash).execute()
}

/** Extends an authorization, so that it does not expire before a token that was issued for it. */
export async function extendAuthorization(tx: Transaction, id: string, expiresAt: number): Promise<void> {
  await tx
    .updateTable('authorizations')
    .set({ expires_at: expiresAt })
    .where('id', '=', id)
    .where('expires_at', '<', expiresAt)
    .execute()
}

/** Deletes an authorization with its code, access tokens and refresh tokens. */
export async function deleteAuthorization(tx: Transaction, id: string): Promise<void> {
  await tx.deleteFrom('authorizations').where('id', '=', id).execute()
}

export async function deleteAuthorizationsOf(tx: Transaction, user: string): Promise<void> {
  await tx.deleteFrom('authorizations').where('user_id', '=', user).execute()
}

/** Deletes expired authorizations, refresh tokens, and access tokens of authorizations. */
export async function deleteExpiredAuthorizations(tx: Transaction, now: number): Promise<void> {
  await tx.deleteFrom('authorizations').where('expires_at', '<=', now).execute()
  await tx.deleteFrom('refresh_tokens').where('expires_at', '<=', now).execute()
  await tx
    .deleteFrom('access_tokens')
    .where('authorization_id', 'is not', null)
    .where('expires_at', '<=', now)
    .execute()
}

/** An authorization that a user has granted to an app. An app may have several. */
export interface AppAuthorization {
  id: string
  app_id: string
  app_name: string
  /** JSON array. */
  scopes: string
  created_at: number
  expires_at: number
  /** When the app last used one of the tokens that still exist. Null if it has not. */
  last_used_at: number | null
}

/** Returns the authorizations of a user that have not expired, oldest first. */
export async function listAuthorizations(
  queries: Queries,
  by: { user: string; now: number },
): Promise<AppAuthorization[]> {
  return queries
    .selectFrom('authorizations')
    .innerJoin('apps', 'apps.id', 'authorizations.app_id')
    .where('user_id', '=', by.user)
    .where('expires_at', '>', by.now)
    .select(['authorizations.id', 'app_id', 'apps.name as app_name', 'scopes'])
    .select(['authorizations.created_at', 'authorizations.expires_at'])
    .select((eb) =>
      eb
        .selectFrom('access_tokens')
        .whereRef('access_tokens.authorization_id', '=', 'authorizations.id')
        .select((token) => token.fn.max('access_tokens.last_used_at').as('last'))
        .as('last_used_at'),
    )
    .orderBy('authorizations.id')
    .execute()
}

/** Deletes all authorizations that a user has granted to an app. Returns whether there were any. */
export async function deleteAuthorizationsTo(
  tx: Transaction,
  by: { user: string; app: string },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('authorizations')
    .where('user_id', '=', by.user)
    .where('app_id', '=', by.app)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
