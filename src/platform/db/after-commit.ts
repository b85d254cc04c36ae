import { connection } from './connection.ts'
import type { Transaction } from './database.ts'

/**
 * Registers a callback that runs after the transaction's COMMIT and before the promise of the transaction resolves.
 *
 * The callback runs synchronously. It does not run if the transaction fails or is rolled back. When a transaction is
 * retried, the callbacks of the failed run are dropped, so that code inside a transaction may register a callback without
 * knowing about retries. An error that the callback throws is logged and does not reach the caller.
 *
 * @example
 * await ctx.transaction(async (tx) => {
 *   await deleteToken(tx, id)
 *   afterCommit(tx, () => cache.delete(id))
 * })
 */
export function afterCommit(tx: Transaction, callback: () => void): void {
  const { transactionRun } = tx[connection]
  if (!transactionRun?.open) throw new Error('afterCommit needs a transaction that is still running')
  transactionRun.afterCommit ??= []
  transactionRun.afterCommit.push(callback)
}
