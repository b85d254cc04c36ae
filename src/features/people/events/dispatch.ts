import type { Context } from '../../../context.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import type { WebhookDeliveriesTable } from '../../../platform/db/event-tables.ts'
import { insertDeliveries, listTargets, type Target } from './endpoints.store.ts'
import { type PlacedEvent, placeEvents } from './store.ts'

type Services = Pick<Context, 'jobs' | 'newId' | 'clock'>

/**
 * Gives new events their places in the order, and queues them for the endpoints that want them.
 * @returns whether more may remain
 */
export async function dispatchEvents(ctx: Services, tx: Transaction): Promise<boolean> {
  const now = ctx.clock.now()
  const events = await placeEvents(tx, now)
  if (events.length === 0) return false
  const targets = await listTargets(tx, events)
  const rows = targets.flatMap((target) => deliveriesTo(ctx, target, events, now))
  await insertDeliveries(tx, rows)
  const receiving = new Set(rows.map(({ endpoint_id }) => endpoint_id))
  for (const target of targets) if (receiving.has(target.id)) await enqueueDelivery(ctx, tx, target)
  return true
}

/** An endpoint that has not answered lately has slots of its own, so that others never wait for it. */
export async function enqueueDelivery(
  { jobs }: Pick<Services, 'jobs'>,
  tx: Transaction,
  { id: endpoint, failing_since }: Pick<Target, 'id' | 'failing_since'>,
  runAt?: number,
): Promise<void> {
  await jobs.enqueue(tx, {
    kind: failing_since === null ? 'deliver-webhooks' : 'retry-webhooks',
    payload: { endpoint },
    key: endpoint,
    ...(runAt !== undefined && { runAt }),
  })
}

function deliveriesTo(
  { newId }: Services,
  { id: endpoint_id, organization_id, user_id, types }: Target,
  events: readonly PlacedEvent[],
  now: number,
): WebhookDeliveriesTable[] {
  const wanted: readonly string[] = JSON.parse(types)
  return events
    .filter((event) => event.organization_id === organization_id && event.user_id === user_id)
    .filter(({ type }) => wanted.length === 0 || wanted.includes(type))
    .map(({ id: event_id, type }) => ({
      ...newDelivery,
      id: newId(),
      endpoint_id,
      event_id,
      type,
      due_at: now,
      created_at: now,
    }))
}

/** A delivery that was not attempted yet. */
export const newDelivery = {
  state: 'waiting',
  attempts: 0,
  attempted_at: null,
  status: null,
  duration: null,
  response: null,
} as const
