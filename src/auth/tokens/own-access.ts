import type { Transaction } from '../../platform/db/database.ts'
import type { AccessTokensTable } from '../../platform/db/sign-in-tables.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../features/people/audit/audit.ts'
import { deleteCachedActors } from './cached-actors.ts'
import { deleteAuthorizationsTo } from './authorizations.store.ts'
import { deletePersonalToken, insertAccessToken } from './store.ts'

type AuditContext = Pick<Context, 'clock' | 'newId'>
type RevocationContext = AuditContext & Pick<Context, 'auth'>

/**
 * Stores a personal token and records it in the audit log.
 * @param by the user who creates it; null for the command line
 */
export async function insertPersonalToken(
  ctx: AuditContext,
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

/** Revokes a personal token of a user. Returns whether it existed. */
export async function revokePersonalToken(
  ctx: RevocationContext,
  tx: Transaction,
  { id, user }: { id: string; user: string },
): Promise<boolean> {
  if (!(await deletePersonalToken(tx, { id, user }))) return false
  deleteCachedActors(ctx, tx, [user])
  const event = { organization: { of: user }, actor: user, subject: user, details: { token: id } }
  await audit(tx, ctx, { ...event, action: 'user.access-token-revoked' })
  return true
}

/** Revokes all authorizations that a user has granted to an app. */
export async function revokeAppAccess(
  ctx: RevocationContext,
  tx: Transaction,
  { user, app }: { user: string; app: string },
): Promise<void> {
  if (!(await deleteAuthorizationsTo(tx, { user, app }))) return
  deleteCachedActors(ctx, tx, [user])
  const event = { organization: { of: user }, actor: user, subject: app }
  await audit(tx, ctx, { ...event, action: 'app.authorization-revoked' })
}
