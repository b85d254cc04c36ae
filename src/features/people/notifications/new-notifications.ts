import type { Context } from '../../../context.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import type { NotificationsTable } from '../../../platform/db/people-tables.ts'
import { insertNotifications } from './store.ts'

/** An event on the work of a class, as one person causes it and others learn of it. */
export interface WorkEvent
  extends Pick<NotificationsTable, 'kind' | 'class_id' | 'assignment_id' | 'submission_id'> {
  /** Who did it. The person is not notified. Null for the server. */
  by: string | null
  recipients: Iterable<string>
}

/**
 * Notifies users of an event, in the transaction that changes the work.
 * @param onRepetition see `insertNotifications`
 */
export async function notify(
  { newId, clock }: Pick<Context, 'newId' | 'clock'>,
  tx: Transaction,
  { by, recipients, ...event }: WorkEvent,
  onRepetition: 'replace' | 'keep' = 'replace',
): Promise<void> {
  const rows = [...new Set(recipients)]
    .filter((user) => user !== by)
    .map((user_id) => ({
      id: newId(),
      user_id,
      ...event,
      about_id: event.submission_id ?? event.assignment_id,
      actor_id: by,
      read_at: null,
      created_at: clock.now(),
    }))
  await insertNotifications(tx, rows, onRepetition)
}
