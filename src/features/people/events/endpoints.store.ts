import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import type { WebhookDeliveriesTable } from '../../../platform/db/event-tables.ts'
import type { PlacedEvent } from './store.ts'

const ofOrganization = compiled((db, p: Params<{ id: string }>) =>
  db
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('organization_id', '=', p('id'))
    .where('off_reason', 'is', null)
    .limit(1),
)

const ofUser = compiled((db, p: Params<{ id: string }>) =>
  db
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('user_id', '=', p('id'))
    .where('off_reason', 'is', null)
    .limit(1),
)

/** Whether the events of an organization or an account are sent to any endpoint. */
export async function hasEndpoint(
  queries: Queries,
  of: { organization: string } | { user: string },
): Promise<boolean> {
  const rows =
    'user' in of
      ? await ofUser(queries, { id: of.user })
      : await ofOrganization(queries, { id: of.organization })
  return rows.length > 0
}

/** What decides which events an endpoint gets, and how soon. */
export interface Target {
  id: string
  organization_id: string | null
  user_id: string | null
  /** JSON array. */
  types: string
  failing_since: number | null
}

/** Returns the endpoints that are on, of the organizations and accounts of these events. */
export async function listTargets(queries: Queries, events: readonly PlacedEvent[]): Promise<Target[]> {
  const organizations = [...new Set(events.flatMap(({ organization_id }) => organization_id ?? []))]
  const users = [...new Set(events.flatMap(({ user_id }) => user_id ?? []))]
  const targets = queries
    .selectFrom('webhook_endpoints')
    .select(['id', 'organization_id', 'user_id', 'types', 'failing_since'])
    .where('off_reason', 'is', null)
  const found = await Promise.all([
    organizations.length > 0 ? targets.where('organization_id', 'in', organizations).execute() : [],
    users.length > 0 ? targets.where('user_id', 'in', users).execute() : [],
  ])
  return found.flat()
}

const rowsAtATime = 100

export async function insertDeliveries(
  tx: Transaction,
  rows: readonly WebhookDeliveriesTable[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += rowsAtATime)
    await tx
      .insertInto('webhook_deliveries')
      .values(rows.slice(start, start + rowsAtATime))
      .execute()
}

const testsAtATime = 500

/** Deletes some of the tests from before a time. Other deliveries are deleted with their events. Returns whether more may remain. */
export async function deleteOldTests(tx: Transaction, time: number): Promise<boolean> {
  const rows = await tx
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('event_id', 'is', null)
    .where('created_at', '<', time)
    .orderBy('created_at')
    .limit(testsAtATime)
    .execute()
  if (rows.length > 0)
    await tx
      .deleteFrom('webhook_deliveries')
      .where(
        'id',
        'in',
        rows.map(({ id }) => id),
      )
      .execute()
  return rows.length === testsAtATime
}
