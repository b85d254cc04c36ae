import { connection, queriesOn } from '../../src/db/connection.ts'
import type { Queries, Transaction } from '../../src/db/database.ts'

/** How many statements `run` makes; of a transaction those that write as well. */
export async function queriesOf(queries: Queries, run: (queries: Transaction) => Promise<unknown>): Promise<number> {
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
