import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import type { WebhookDeliveriesTable } from '../../../platform/db/event-tables.ts'

export type Delivery = WebhookDeliveriesTable
export type DeliveryChange = Partial<
  Pick<Delivery, 'state' | 'attempts' | 'due_at' | 'attempted_at' | 'status' | 'duration' | 'response'>
>

const due = compiled((db, p: Params<{ endpoint: string; now: number; limit: number }>) =>
  db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('endpoint_id', '=', p('endpoint'))
    .where('due_at', '<=', p('now'))
    .orderBy('due_at')
    .orderBy('id')
    .limit(p('limit')),
)

const sending = compiled((db, p: Params<{ endpoint: string; now: number }>) =>
  db
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('endpoint_id', '=', p('endpoint'))
    .where('due_at', '>', p('now'))
    .where('state', '=', 'sending'),
)

const claim = compiled((db, p: Params<{ ids: readonly string[]; until: number }>) =>
  db
    .updateTable('webhook_deliveries')
    .set({ state: 'sending', due_at: p('until') })
    .where(p.isIn('id', 'ids')),
)

/**
 * Claims deliveries of an endpoint that are due, also those of a worker that ended while it sent them.
 * @param most how many may be sent to the endpoint at a time
 * @param until the end of the lease, in milliseconds since 1970
 */
export async function claimDue(
  tx: Transaction,
  { endpoint, now, until, most }: { endpoint: string; now: number; until: number; most: number },
): Promise<Delivery[]> {
  const limit = most - (await sending(tx, { endpoint, now })).length
  if (limit <= 0) return []
  const rows = await due(tx, { endpoint, now, limit })
  if (rows.length > 0) await claim(tx, { ids: rows.map(({ id }) => id), until })
  return rows
}

const firstDue = compiled((db, p: Params<{ endpoint: string }>) =>
  db
    .selectFrom('webhook_deliveries')
    .select('due_at')
    .where('endpoint_id', '=', p('endpoint'))
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .limit(1),
)

/** Returns when an endpoint next has something to do, in milliseconds since 1970: a delivery that is due, or a lease that ends. */
export async function findNextDue(queries: Queries, endpoint: string): Promise<number | undefined> {
  const [row] = await firstDue(queries, { endpoint })
  return row?.due_at ?? undefined
}

export async function updateDelivery(tx: Transaction, id: string, change: DeliveryChange): Promise<void> {
  await tx.updateTable('webhook_deliveries').set(change).where('id', '=', id).execute()
}

/** Gives up the deliveries of an endpoint that have not ended. They can be sent again later. */
export async function failWaiting(tx: Transaction, endpoint: string): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ state: 'failed', due_at: null })
    .where('endpoint_id', '=', endpoint)
    .where('due_at', 'is not', null)
    .execute()
}

export async function findDelivery(
  queries: Queries,
  { endpoint, id }: { endpoint: string; id: string },
): Promise<Delivery | undefined> {
  return queries
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('id', '=', id)
    .where('endpoint_id', '=', endpoint)
    .executeTakeFirst()
}

/** Lists the deliveries of an endpoint, the newest first. */
export async function listDeliveries(
  queries: Queries,
  endpoint: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<Delivery[]> {
  return queries
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('endpoint_id', '=', endpoint)
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
