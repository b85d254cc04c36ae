import type { Queries, Transaction } from '../db/database.ts'
import type { IdempotentRequestsTable } from '../db/platform-tables.ts'

/** Identifies a request: the account, and the idempotency key that is unique for the account. */
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

/** Inserts a request. Returns false if another process has inserted it first. */
export async function insertRequest(tx: Transaction, request: IdempotentRequestsTable): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('idempotent_requests')
    .values(request)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** A request with the attempt that executes it. The functions below change nothing once another attempt has taken over. */
export interface RequestAttempt extends RequestKey {
  readonly attempt: string
}

/** Changes a request. Returns false if another attempt has taken over. */
export async function updateRequest(
  tx: Transaction,
  { user_id, key, attempt }: RequestAttempt,
  change: Partial<Pick<IdempotentRequestsTable, 'attempt' | 'alive_at' | 'carried_out' | 'answer'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('idempotent_requests')
    .set(change)
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .where('attempt', '=', attempt)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Deletes a request unless it has changed data. */
export async function deleteRequestWithoutEffect(
  tx: Transaction,
  { user_id, key, attempt }: RequestAttempt,
): Promise<void> {
  await tx
    .deleteFrom('idempotent_requests')
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .where('attempt', '=', attempt)
    .where('carried_out', '=', 0)
    .execute()
}

const deleteBatchSize = 500

/**
 * Deletes a batch of the oldest requests before a time.
 * @param time milliseconds since 1970
 * @returns whether there may be more
 */
export async function deleteRequestsBefore(tx: Transaction, time: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('idempotent_requests')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('user_id', 'key'),
        'in',
        selectFrom('idempotent_requests as old')
          .select(['old.user_id', 'old.key'])
          .where('created_at', '<', time)
          .orderBy('created_at')
          .limit(deleteBatchSize)
          .$asTuple('user_id', 'key'),
      ),
    )
    .executeTakeFirst()
  return Number(numDeletedRows) === deleteBatchSize
}
