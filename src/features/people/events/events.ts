import type { Context } from '../../../context.ts'
import type { AccountEventType, OrganizationEventType } from '../../../contract/event-types.ts'
import type { Event } from '../../../contract/events.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { hasEndpoint } from './endpoints.store.ts'
import { insertEvent } from './store.ts'

/** The objects of an event by their kind, each with its id. */
export type EventObjects = Partial<Record<Exclude<keyof Event['data'], 'actor' | 'url'>, string>>

interface Facts<Type> {
  type: Type
  /** The account that caused it. Null for the server and its command line. */
  actor: string | null
  objects: EventObjects
}

/** An event of an organization, or of the account that it names. */
export type NewEvent =
  | (Facts<OrganizationEventType> & { organization: string })
  | (Facts<AccountEventType> & { user: string })

/** Records an event in the transaction of the change, and wakes the job that sends it. It has ids only, because it leaves the server. */
export async function recordEvent(
  { newId, clock, jobs }: Pick<Context, 'newId' | 'clock' | 'jobs'>,
  tx: Transaction,
  event: NewEvent,
): Promise<void> {
  const row = {
    id: newId(),
    organization_id: 'organization' in event ? event.organization : null,
    user_id: 'user' in event ? event.user : null,
    type: event.type,
    actor_id: event.actor,
    objects: JSON.stringify(event.objects),
    position: null,
    created_at: clock.now(),
  }
  const [isFollowed] = await Promise.all([hasEndpoint(tx, event), insertEvent(tx, row)])
  if (isFollowed) await jobs.enqueue(tx, { kind: 'dispatch-events', payload: {}, key: 'all' })
}
