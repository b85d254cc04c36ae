import { sql } from 'kysely'
import { expect } from 'vitest'
import { connection, queriesOn } from '../../src/platform/db/connection.ts'
import type { Database, Queries } from '../../src/platform/db/database.ts'
import type { DialectName } from '../../src/platform/db/dialects.ts'
import type { Tables } from '../../src/platform/db/tables.ts'

/**
 * Returns the query plans of the queries that `read` makes, one line a step. PostgreSQL reports the number of
 * rows of each step. SQLite reports the index that a step uses, and whether it sorts.
 */
export async function planOf(
  queries: Queries,
  read: (queries: Queries) => Promise<unknown>,
): Promise<string[]> {
  const target = queries[connection]
  const steps: string[] = []
  const explain = {
    sqlite: 'explain query plan',
    postgres: 'explain (analyze, costs off, timing off, summary off, buffers off)',
  }[target.dialect]
  const explaining = queriesOn({
    ...target,
    async run(statement, values) {
      const { rows } = await target.run({ sql: `${explain} ${statement.sql}` }, values)
      steps.push(...rows.map((row) => String(row.detail ?? row['QUERY PLAN']).trim()))
      return { rows: [], affected: 0 }
    },
  })
  await read(explaining)
  return steps
}

/**
 * Updates PostgreSQL's statistics of these tables, which autovacuum would do later. Tables of other tests are
 * not touched.
 */
export async function analyze(db: Database, ...tables: (keyof Tables)[]): Promise<void> {
  if (db.dialect === 'postgres')
    await db.exclusive((tx) => sql`analyze ${sql.join(tables.map(sql.table))}`.execute(tx))
}

/**
 * Asserts that a page deep in a list costs no more than the first page. On PostgreSQL it compares the numbers
 * of rows read, which are far fewer than the rows of the list. On SQLite it asserts that both pages take the same steps, and that the deep page starts at
 * the cursor in an index and does not sort.
 */
export function expectSameCost(
  dialect: DialectName,
  first: readonly string[],
  deep: readonly string[],
): void {
  if (dialect === 'postgres') {
    expect(rowsRead(first)).toBeGreaterThan(25)
    expect(rowsRead(first)).toBeLessThan(1000)
    expect(rowsRead(deep)).toBeLessThanOrEqual(1.2 * rowsRead(first))
    return
  }
  const fromCursor = / AND \(\w+,(id|score_id)\)[<>]\(\?,\?\)/
  const from = deep.findIndex((step) => fromCursor.test(step))
  expect(deep.map((step, n) => (n === from ? step.replace(fromCursor, '') : step))).toEqual(first)
  // The rows of the page itself may be sorted again afterwards.
  const scanIndex = deep.findIndex((step, n) => n > from && /^SCAN (page|collections)$/.test(step))
  const walked = deep.slice(0, scanIndex < 0 ? undefined : scanIndex)
  expect(walked.filter((step) => /TEMP B-TREE .*ORDER BY/.test(step))).toEqual([])
}

/**
 * Returns how many rows the steps of a PostgreSQL plan read from tables and indexes, including the rows that
 * a filter removed.
 */
export function rowsRead(plan: readonly string[]): number {
  let rows = 0
  let loops = 0
  for (const step of plan) {
    const match = /\(actual rows=([\d.]+) loops=(\d+)\)$/.exec(step)
    if (match) loops = Number(match[2])
    if (match && /(?<!Bitmap )(Index|Index Only|Seq|Heap) Scan /.test(step)) rows += Number(match[1]) * loops
    rows += loops * Number(/^Rows Removed by (?:Filter|Index Recheck): (\d+)/.exec(step)?.[1] ?? 0)
  }
  return rows
}
