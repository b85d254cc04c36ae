import { type Compiled, compiled, type Params } from './compiled.ts'
import type { Transaction } from './database.ts'
import type { Tables } from './tables.ts'

type Row<Table extends keyof Tables> = Tables[Table]

/**
 * Defines the insert of one whole row, compiled once; for tables that are written on a hot path.
 * @param orIgnore leaves a row with the same key as it is
 */
export function insertion<Table extends keyof Tables & string>(
  table: Table,
  { orIgnore = false } = {},
): (tx: Transaction, row: Row<Table>) => Promise<number> {
  let insert: Compiled<Row<Table>, never> | undefined
  return async (tx, row) => {
    insert ??= compileInsert(table, Object.keys(row), orIgnore)
    return insert(tx as never, row)
  }
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
