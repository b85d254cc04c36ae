import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Transaction } from '../../../platform/db/database.ts'

/**
 * Adds `more` to a counter column of a score. Runs in the transaction that inserts or deletes the counted
 * rows. `more` is negative after a deletion. The recent counts of the score become due.
 */
export type Counter = (tx: Transaction, counted: { score: string; more: number }) => Promise<number>

export function counterOf(column: 'views' | 'plays' | 'likes' | 'comments'): Counter {
  return compiled((db, p: Params<{ score: string; more: number }>) =>
    db
      .updateTable('scores')
      .set((eb) => ({ [column]: eb(column, '+', p('more')), counts_due_at: 0 }))
      .where('id', '=', p('score')),
  )
}
