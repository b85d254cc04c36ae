import { type Compiled, compiled, type Params } from './compiled.ts'
import type { Transaction } from './database.ts'
import type { Tables } from './tables.ts'

type Row<Table extends keyof Tables> = Tables[Table]

/**
 * Defines the insert of one whole row, compiled once, for tables that are written often. The database refuses
 * every row with a column that the table does not have.
 * @param orIgnore keeps an existing row with the same key
 */
export function insertion<Table extends keyof Tables & string>(
  table: Table,
  { orIgnore = false } = {},
): (tx: Transaction, row: Row<Table>) => Promise<number> {
  const inserts = new Map<string, Compiled<Row<Table>, never>>()
  return async (tx, row) => {
    const columns = Object.keys(row)
    const known = inserts.get(columns.join())
    if (known) return known(tx as never, row)
    const insert = compileInsert(table, columns, orIgnore)
    const written = await insert(tx as never, row)
    // Only statements that the database has accepted are cached.
    inserts.set(columns.join(), insert)
    return written
  }
}

/**
 * Returns only the columns of `row` that belong to its table, if it was read together with other values.
 * @param empty a row with all columns of the table and no other property
 */
export function columnsIn<Row extends object>(empty: Row, row: Row): Row {
  const columns = Object.keys(empty) as (keyof Row)[]
  return Object.fromEntries(columns.map((column) => [column, row[column]])) as Row
}

function compileInsert<Table extends keyof Tables & string>(
  table: Table,
  columns: readonly string[],
  orIgnore: boolean,
): Compiled<Row<Table>, never> {
  return compiled((db, p: Params<Record<string, never>>) => {
    const values = Object.fromEntries(columns.map((column) => [column, p(column)]))
    const query = db.insertInto(table).values(values as never)
    return orIgnore ? query.onConflict((conflict) => conflict.doNothing()) : query
  }) as unknown as Compiled<Row<Table>, never>
}
