import type { Transaction } from '../../../platform/db/database.ts'
import type { AppsTable } from '../../../platform/db/sign-in-tables.ts'
import type { Context } from '../../../context.ts'
import { audit } from '../../../features/people/audit/audit.ts'
import { dateTime } from '../../../lib/date-time.ts'
import { type App, insertApp } from './store.ts'

/** Stores a registered app and records it in the audit log. */
export async function storeApp(
  ctx: Pick<Context, 'clock' | 'newId' | 'jobs'>,
  tx: Transaction,
  app: AppsTable,
  redirectUris: readonly string[],
): Promise<void> {
  await insertApp(tx, app, redirectUris)
  await audit(tx, ctx, {
    organization: app.owner_id === null ? null : { of: app.owner_id },
    actor: app.owner_id,
    action: 'app.registered',
    subject: app.id,
    details: { isPublic: app.secret_hash === null },
  })
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
