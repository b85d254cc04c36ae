import { sql } from 'kysely'
import type { Queries } from '../database.ts'
import type { DialectName } from '../dialects.ts'

/** The description of a table in a backup. */
export interface TableShape {
  readonly name: string
  readonly columns: readonly ColumnShape[]
}

export interface ColumnShape {
  readonly name: string
  /** The values are bytes, which JSON cannot represent. */
  readonly isBytes: boolean
}

/** Queries for all columns of all tables, in the order of their tables. */
const columnsOf = {
  sqlite: sql<{ table: string; name: string; type: string }>`
    select tables.name as "table", columns.name, lower(columns.type) as type
    from sqlite_schema as tables, pragma_table_info(tables.name) as columns
    where tables.type = 'table' and tables.name not like 'sqlite_%'
    order by columns.cid`,
  postgres: sql<{ table: string; name: string; type: string }>`
    select table_name as "table", column_name as name, data_type as type
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = current_schema() and table_type = 'BASE TABLE'
    order by ordinal_position`,
}

const byteTypes = new Set(['blob', 'bytea'])

/** Returns every table of the application, sorted by name, without the table of migrations. */
export async function listTables(queries: Queries, dialect: DialectName): Promise<TableShape[]> {
  const { rows } = await columnsOf[dialect].execute(queries)
  const byTable = Map.groupBy(rows, ({ table }) => table)
  byTable.delete('migrations')
  return [...byTable]
    .map(([name, columns]) => ({
      name,
      columns: columns.map(({ name, type }) => ({ name, isBytes: byteTypes.has(type) })),
    }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}
