import type { NotificationKind } from '../../../contract/notifications.ts'
import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import type { NotificationsTable } from '../../../platform/db/people-tables.ts'

/** The rows of one statement. It bounds the number of its parameters. */
const rowsAtATime = 100

/**
 * Inserts notifications.
 * @param onRepetition what happens to an earlier notification of the same kind on the same work: it is replaced and unread
 *   again, or it is kept as it is
 */
export async function insertNotifications(
  tx: Transaction,
  rows: readonly NotificationsTable[],
  onRepetition: 'replace' | 'keep',
): Promise<void> {
  for (let start = 0; start < rows.length; start += rowsAtATime) {
    const insert = tx.insertInto('notifications').values(rows.slice(start, start + rowsAtATime))
    await insert
      .onConflict((conflict) => {
        const repeated = conflict.columns(['user_id', 'kind', 'about_id'])
        return onRepetition === 'keep'
          ? repeated.doNothing()
          : repeated.doUpdateSet((eb) => ({
              id: eb.ref('excluded.id'),
              actor_id: eb.ref('excluded.actor_id'),
              created_at: eb.ref('excluded.created_at'),
              read_at: null,
            }))
      })
      .execute()
  }
}

/** Deletes the notifications of a kind on one submission or assignment, of all users. */
export async function deleteNotificationsAbout(
  tx: Transaction,
  { submission, kind }: { submission: string; kind: NotificationKind },
): Promise<void> {
  await tx
    .deleteFrom('notifications')
    .where('submission_id', '=', submission)
    .where('kind', '=', kind)
    .execute()
}

/** Deletes the notifications of a user, of one class or of all. */
export async function deleteNotificationsOf(tx: Transaction, user: string, classId?: string): Promise<void> {
  await tx
    .deleteFrom('notifications')
    .where('user_id', '=', user)
    .$if(classId !== undefined, (query) => query.where('class_id', '=', classId ?? ''))
    .execute()
}

/** Marks one notification of a user as read, or also all older ones. */
export async function markRead(
  tx: Transaction,
  { user, id, andOlder, now }: { user: string; id: string; andOlder: boolean; now: number },
): Promise<void> {
  await tx
    .updateTable('notifications')
    .set({ read_at: now })
    .where('user_id', '=', user)
    .where('read_at', 'is', null)
    .where('id', andOlder ? '<=' : '=', id)
    .execute()
}

const oldest = compiled((db, p: Params<{ before: number; limit: number }>) =>
  db
    .selectFrom('notifications')
    .select('id')
    .where('created_at', '<', p('before'))
    .orderBy('created_at')
    .limit(p('limit')),
)

const surplusUsers = compiled(
  (db, p: Params<{ most: number; limit: number }>) =>
    db
      .selectFrom('notifications')
      .groupBy('user_id')
      .having((eb) => eb(eb.fn.countAll<number>(), '>', p('most')))
      .select('user_id')
      .limit(p('limit')),
  { isScan: true },
)

const usersAtATime = 50

/** Deletes some of the notifications that are older than a time in milliseconds. Returns whether more may remain. */
export async function deleteNotificationsBefore(tx: Transaction, before: number): Promise<boolean> {
  const limit = 500
  const rows = await oldest(tx, { before, limit })
  await deleteRows(
    tx,
    rows.map(({ id }) => id),
  )
  return rows.length === limit
}

/** Returns some users with more than `most` notifications. */
export async function listUsersWithMore(queries: Queries, most: number): Promise<string[]> {
  const rows = await surplusUsers(queries, { most, limit: usersAtATime })
  return rows.map(({ user_id }) => user_id)
}

/** Deletes the notifications of a user beyond the newest ones. */
export async function deleteSurplus(tx: Transaction, user: string, most: number): Promise<void> {
  const { id } =
    (await tx
      .selectFrom('notifications')
      .where('user_id', '=', user)
      .orderBy('id', 'desc')
      .offset(most)
      .limit(1)
      .select('id')
      .executeTakeFirst()) ?? {}
  if (id === undefined) return
  await tx.deleteFrom('notifications').where('user_id', '=', user).where('id', '<=', id).execute()
}

const deleteRowsQuery = compiled((db, p: Params<{ ids: readonly string[] }>) =>
  db.deleteFrom('notifications').where(p.isIn('id', 'ids')),
)

async function deleteRows(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await deleteRowsQuery(tx, { ids })
}
