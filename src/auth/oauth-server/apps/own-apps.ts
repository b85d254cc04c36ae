import type { Transaction } from '../../../platform/db/database.ts'
import type { AppsTable } from '../../../platform/db/sign-in-tables.ts'
import type { Context } from '../../../context.ts'
import { audit } from '../../../features/people/audit/audit.ts'
import { deleteCachedActors } from '../../tokens/cached-actors.ts'
import { dateTime } from '../../../lib/date-time.ts'
import { type App, deleteAppOf, insertApp, listUsersOfApp } from './store.ts'

type AuditContext = Pick<Context, 'clock' | 'newId'>

const eventOf = (owner: string | null) => ({
  organization: owner === null ? null : { of: owner },
  actor: owner,
})

/** Stores a registered app and records it in the audit log. */
export async function storeApp(
  ctx: AuditContext,
  tx: Transaction,
  app: AppsTable,
  redirectUris: readonly string[],
): Promise<void> {
  await insertApp(tx, app, redirectUris)
  const event = { ...eventOf(app.owner_id), subject: app.id, details: { isPublic: app.secret_hash === null } }
  await audit(tx, ctx, { ...event, action: 'app.registered' })
}

/** Deletes an app of this user with its authorizations. Returns whether it existed. */
export async function endApp(
  ctx: AuditContext & Pick<Context, 'auth'>,
  tx: Transaction,
  { id, owner }: { id: string; owner: string },
): Promise<boolean> {
  const users = await listUsersOfApp(tx, id)
  if (!(await deleteAppOf(tx, { id, owner }))) return false
  deleteCachedActors(ctx, tx, users)
  await audit(tx, ctx, { ...eventOf(owner), action: 'app.deleted', subject: id })
  return true
}

/** Returns an app as its owner sees it. */
export function presentApp({ id, name, secret_hash, created_at, redirectUris, hasLogo }: App) {
  return {
    id,
    name,
    isPublic: secret_hash === null,
    redirectUris: [...redirectUris],
    logo: hasLogo ? `/auth/apps/${id}/logo` : null,
    createdAt: dateTime(created_at),
  }
}
