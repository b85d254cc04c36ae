import type { Transaction } from '../../platform/db/database.ts'
import type { AccessTokensTable } from '../../platform/db/sign-in-tables.ts'
import { audit } from '../../features/people/audit/audit.ts'
import { dateTime } from '../../lib/date-time.ts'
import { hashToken, newPersonalToken } from '../../lib/tokens.ts'
import type { Context } from '../../context.ts'
import { insertAccessToken } from './store.ts'

/**
 * Creates a personal token and its row. Only the hash of the token is stored.
 * @param expiresAt milliseconds since 1970; undefined for a token that does not expire
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

/**
 * Stores a personal token and records it in the audit log.
 * @param by the user who creates it; null for the command line
 */
export async function insertPersonalToken(
  ctx: Pick<Context, 'clock' | 'newId' | 'jobs'>,
  tx: Transaction,
  row: AccessTokensTable,
  by: string | null = row.user_id,
): Promise<void> {
  await insertAccessToken(tx, row)
  await audit(tx, ctx, {
    organization: { of: row.user_id },
    actor: by,
    action: 'user.access-token-created',
    subject: row.user_id,
    details: { token: row.id, scopes: JSON.parse(row.scopes) },
  })
}

/** Returns a personal token as its owner sees it in the list: without the token itself. */
export function presentPersonalToken(
  row: Pick<AccessTokensTable, 'id' | 'name' | 'scopes' | 'created_at' | 'expires_at' | 'last_used_at'>,
) {
  const { id, name, scopes, created_at, expires_at, last_used_at } = row
  return {
    id,
    name,
    scopes: JSON.parse(scopes),
    createdAt: dateTime(created_at),
    expiresAt: expires_at === null ? null : dateTime(expires_at),
    lastUsedAt: last_used_at === null ? null : dateTime(last_used_at),
  }
}
