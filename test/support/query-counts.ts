import { connection, queriesOn } from '../../src/platform/db/connection.ts'
import type { Queries, Transaction } from '../../src/platform/db/database.ts'

/** Counts the statements that `run` executes, including the writes of a transaction. */
export async function queriesOf(
  queries: Queries,
  run: (queries: Transaction) => Promise<unknown>,
): Promise<number> {
  const target = queries[connection]
  let count = 0
  const counting = queriesOn({
    ...target,
    run(statement, values) {
      count++
      return target.run(statement, values)
    },
  })
  await run(counting)
  return count
}
