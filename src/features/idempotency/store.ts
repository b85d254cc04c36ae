import type { Queries, Transaction } from '../../db/database.ts'
import type { IdempotentRequestsTable } from '../../db/tables.ts'

/** Which request of whom: the key is unique for its account. */
export type RequestKey = Pick<IdempotentRequestsTable, 'user_id' | 'key'>

export async function findRequest(
  queries: Queries,
  { user_id, key }: RequestKey,
): Promise<IdempotentRequestsTable | undefined> {
  return queries
    .selectFrom('idempotent_requests')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .executeTakeFirst()
}

/** Whether nobody was faster, in another process. */
export async function insertRequest(tx: Transaction, request: IdempotentRequestsTable): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('idempotent_requests')
    .values(request)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function updateRequest(
  tx: Transaction,
  { user_id, key }: RequestKey,
  change: Partial<Pick<IdempotentRequestsTable, 'carried_out' | 'answer' | 'created_at'>>,
): Promise<void> {
  await tx
    .updateTable('idempotent_requests')
    .set(change)
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .execute()
}

/** Forgets a request that has changed nothing; one that has stays. */
export async function deleteRequestWithoutEffect(tx: Transaction, { user_id, key }: RequestKey): Promise<void> {
  await tx
    .deleteFrom('idempotent_requests')
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .where('carried_out', '=', 0)
    .execute()
}

const atATime = 500

/** Forgets the oldest of the requests that came before that time, in milliseconds. Whether there may be more. */
export async function deleteRequestsBefore(tx: Transaction, time: number): Promise<boolean> {
  const old = await tx
    .selectFrom('idempotent_requests')
    .select(['user_id', 'key'])
    .where('created_at', '<', time)
    .orderBy('created_at')
    .limit(atATime)
    .execute()
  for (const { user_id, key } of old) {
    await tx.deleteFrom('idempotent_requests').where('user_id', '=', user_id).where('key', '=', key).execute()
  }
  return old.length === atATime
}
