import { connection, queriesOn } from '../../src/db/connection.ts'
import type { Queries } from '../../src/db/database.ts'

/** How many queries `read` makes. */
export async function queriesOf(queries: Queries, read: (queries: Queries) => Promise<unknown>): Promise<number> {
  const target = queries[connection]
  let count = 0
  const counting = queriesOn({
    ...target,
    run(statement, values) {
      count++
      return target.run(statement, values)
    },
  })
  await read(counting)
  return count
}
