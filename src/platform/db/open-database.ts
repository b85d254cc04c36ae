import type { Database, DatabaseOptions } from './database.ts'
import { openSqliteDatabase } from './sqlite/sqlite-database.ts'

export interface DatabaseLocation {
  /** `postgres://…`. If undefined, the SQLite file is the database. */
  readonly url?: string | undefined
  /** The SQLite file. It and its folder are created if they do not exist. */
  readonly path: string
}

/**
 * Opens the database. The caller closes it. `migrate` creates the tables.
 *
 * @throws DATABASE_UNAVAILABLE if SQLite's file cannot be opened. A PostgreSQL server is only contacted by
 *   the first statement.
 */
export async function openDatabase(
  { url, path }: DatabaseLocation,
  options: DatabaseOptions = {},
): Promise<Database> {
  if (!url) return openSqliteDatabase(path, options)
  const { openPostgresDatabase } = await import('./postgres/postgres-database.ts')
  return openPostgresDatabase(url, options)
}
