import { sql } from 'kysely'
import { expect } from 'vitest'
import { connection, queriesOn } from '../../src/db/connection.ts'
import type { Database, Queries } from '../../src/db/database.ts'
import type { DialectName } from '../../src/db/dialects.ts'
import type { Tables } from '../../src/db/tables.ts'

/**
 * What the database does for the queries that `read` makes, a line a step. PostgreSQL says how many rows each step has given;
 * SQLite, which index it goes along, and whether it has to sort.
 */
export async function planOf(queries: Queries, read: (queries: Queries) => Promise<unknown>): Promise<string[]> {
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

/** Tells PostgreSQL what is in these tables, as it finds out by itself sooner or later. No other test's are looked at. */
export async function analyze(db: Database, ...tables: (keyof Tables)[]): Promise<void> {
  if (db.dialect === 'postgres') await db.exclusive((tx) => sql`analyze ${sql.join(tables.map(sql.table))}`.execute(tx))
}

/**
 * Holds that a page deep in a list costs what the first one does. PostgreSQL says how many rows each has read. SQLite does
 * not, but this: that it takes the same steps, going along an index from the place of the cursor without sorting.
 */
export function expectNoDearer(dialect: DialectName, first: readonly string[], deep: readonly string[]): void {
  if (dialect === 'postgres') {
    expect(rowsRead(first)).toBeGreaterThan(25)
    expect(rowsRead(deep)).toBeLessThanOrEqual(1.2 * rowsRead(first))
    return
  }
  const fromCursor = / AND \(\w+,(id|score_id)\)[<>]\(\?,\?\)/
  const from = deep.findIndex((step) => fromCursor.test(step))
  expect(deep.map((step, n) => (n === from ? step.replace(fromCursor, '') : step))).toEqual(first)
  // A page that was found may be sorted once more.
  const found = deep.findIndex((step, n) => n > from && /^SCAN (page|collections)$/.test(step))
  const walked = deep.slice(0, found < 0 ? undefined : found)
  expect(walked.filter((step) => /TEMP B-TREE .*ORDER BY/.test(step))).toEqual([])
}

/** How many rows the steps of a plan of PostgreSQL's took from tables and indexes, those that they then left out included. */
export function rowsRead(plan: readonly string[]): number {
  let rows = 0
  let loops = 0
  for (const step of plan) {
    const found = /\(actual rows=([\d.]+) loops=(\d+)\)$/.exec(step)
    if (found) loops = Number(found[2])
    if (found && /(?<!Bitmap )(Index|Index Only|Seq|Heap) Scan /.test(step)) rows += Number(found[1]) * loops
    rows += loops * Number(/^Rows Removed by (?:Filter|Index Recheck): (\d+)/.exec(step)?.[1] ?? 0)
  }
  return rows
}
