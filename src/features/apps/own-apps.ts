import type { Transaction } from '../../db/database.ts'
import type { AppsTable } from '../../db/sign-in-tables.ts'
import type { Context } from '../../operation.ts'
import { audit } from '../audit/audit.ts'
import { deleteApp, insertApp } from './store.ts'

type Noting = Pick<Context, 'clock' | 'newId'>

const eventOf = (owner: string | null) => ({ organization: owner === null ? null : { of: owner }, actor: owner })

/** Keeps an app that its owner, or the command line, has registered. */
export async function keepApp(
  ctx: Noting,
  tx: Transaction,
  app: AppsTable,
  redirectUris: readonly string[],
): Promise<void> {
  await insertApp(tx, app, redirectUris)
  const event = { ...eventOf(app.owner_id), subject: app.id, details: { isPublic: app.secret_hash === null } }
  await audit(tx, ctx, { ...event, action: 'app.registered' })
}

/** Deletes an app that this user has registered, and what people have allowed it. Whether there was such a one. */
export async function endApp(
  ctx: Noting,
  tx: Transaction,
  { id, owner }: { id: string; owner: string },
): Promise<boolean> {
  if (!(await deleteApp(tx, { id, owner }))) return false
  await audit(tx, ctx, { ...eventOf(owner), action: 'app.deleted', subject: id })
  return true
}
