import type { Database, Transaction } from '../db/database.ts'

/**
 * Runs the work of a job in short transactions, one after another, until it is done or the job is aborted.
 * @param work does one batch. Returns whether there may be more.
 */
export async function inBatches(
  ctx: Pick<Database, 'transaction'>,
  signal: AbortSignal,
  work: (tx: Transaction) => Promise<boolean>,
): Promise<void> {
  let hasMore = true
  while (hasMore && !signal.aborted) hasMore = await ctx.transaction(work)
}
