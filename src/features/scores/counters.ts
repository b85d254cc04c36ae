import { compiled, type Params } from '../../db/compiled.ts'
import type { Transaction } from '../../db/database.ts'

/** Keeps a count of a score true: `more` rows come to it in the same transaction, or go where it is negative. */
export type Counter = (tx: Transaction, counted: { score: string; more: number }) => Promise<number>

export function counterOf(column: 'views' | 'plays' | 'likes' | 'comments'): Counter {
  return compiled((db, p: Params<{ score: string; more: number }>) =>
    db
      .updateTable('scores')
      .set((eb) => ({ [column]: eb(column, '+', p('more')) }))
      .where('id', '=', p('score')),
  )
}
