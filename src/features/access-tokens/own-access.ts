import type { Transaction } from '../../db/database.ts'
import type { AccessTokensTable } from '../../db/sign-in-tables.ts'
import type { Context } from '../../operation.ts'
import { audit } from '../audit/audit.ts'
import { deleteAuthorizationsTo } from './authorizations.ts'
import { deletePersonalToken, insertAccessToken } from './store.ts'

type Noting = Pick<Context, 'clock' | 'newId'>

/** Keeps a token of somebody's own. @param by who has made it; null for the command line */
export async function keepPersonalToken(
  ctx: Noting,
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

/** Ends a personal token of this user. Whether there was such a one. */
export async function endPersonalToken(
  ctx: Noting,
  tx: Transaction,
  { id, user }: { id: string; user: string },
): Promise<boolean> {
  if (!(await deletePersonalToken(tx, { id, user }))) return false
  const event = { organization: { of: user }, actor: user, subject: user, details: { token: id } }
  await audit(tx, ctx, { ...event, action: 'user.access-token-revoked' })
  return true
}

/** Takes back everything that a user has allowed to an app. */
export async function endAccessOf(
  ctx: Noting,
  tx: Transaction,
  { user, app }: { user: string; app: string },
): Promise<void> {
  if (!(await deleteAuthorizationsTo(tx, { user, app }))) return
  const event = { organization: { of: user }, actor: user, subject: app }
  await audit(tx, ctx, { ...event, action: 'app.authorization-revoked' })
}
