import type { Database } from './database.ts'
import { openSqliteDatabase } from './sqlite/sqlite-database.ts'

export interface DatabaseLocation {
  /** `postgres://…`; where it is absent the SQLite file is the database. */
  readonly url?: string | undefined
  /** The SQLite file. It and its folder are made where there are none. */
  readonly path: string
}

/**
 * Opens the database; whoever opened it closes it. The tables come from `migrate`.
 *
 * @throws DATABASE_UNAVAILABLE where SQLite's file cannot be opened; PostgreSQL is reached by the first statement only.
 */
export async function openDatabase({ url, path }: DatabaseLocation): Promise<Database> {
  if (!url) return openSqliteDatabase(path)
  const { openPostgresDatabase } = await import('./postgres/postgres-database.ts')
  return openPostgresDatabase(url)
}
