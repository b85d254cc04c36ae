import { sql } from 'kysely'
import type { TestApp } from './app.ts'
import { type DepartingUsers, name, text } from './traces.ts'

/**
 * The kind of personal data in a column: the id of an account, a name or address, or text that the user
 * wrote.
 */
export type Trace = 'id' | 'name' | 'text'

/** Formats a column and the kind of its personal data, as docs/data-rights.md lists them. */
export const traceLine = (column: string, trace: Trace) => `${column}: ${trace}`

/** Returns every column of every table. */
export async function columnsOf({ ctx }: TestApp): Promise<{ table: string; column: string }[]> {
  const columns =
    ctx.db.dialect === 'sqlite'
      ? sql<{ table: string; column: string }>`select t.name as "table", c.name as "column"
          from sqlite_schema t, pragma_table_info(t.name) c where t.type = 'table' and t.name not like 'sqlite_%'`
      : sql<{ table: string; column: string }>`select table_name as "table", column_name as "column"
          from information_schema.columns where table_schema = current_schema()`
  return (await columns.execute(ctx.db.read)).rows
}

/** Reads all rows of every table. */
export async function readTables(app: TestApp): Promise<Map<string, Record<string, unknown>[]>> {
  const names = [...new Set((await columnsOf(app)).map(({ table }) => table))]
  const read = names.map(async (name) => {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(
      app.ctx.db.read,
    )
    return [name, rows] as const
  })
  return new Map(await Promise.all(read))
}

const textOf = (value: unknown): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value ?? '')

/** Returns the columns that contain personal data of these users. Blobs are searched unpacked. */
export async function tracesOf(app: TestApp, users: DepartingUsers): Promise<string[]> {
  const ids = Object.values(users).map(({ id }) => id)
  const traces = new Set<string>()
  const addTraces = (column: string, value: string) => {
    const folded = value.toLowerCase()
    if (ids.some((id) => folded.includes(id))) traces.add(traceLine(column, 'id'))
    if (folded.includes(name)) traces.add(traceLine(column, 'name'))
    if (folded.includes(text)) traces.add(traceLine(column, 'text'))
  }
  const tables = await readTables(app)
  for (const [table, rows] of tables) {
    for (const row of rows)
      for (const [column, value] of Object.entries(row)) addTraces(`${table}.${column}`, textOf(value))
  }
  for (const { hash } of tables.get('blobs') ?? []) {
    addTraces('blobs.content', textOf(await app.ctx.blobs.read(app.ctx.db.read, String(hash))))
  }
  return [...traces].sort()
}
