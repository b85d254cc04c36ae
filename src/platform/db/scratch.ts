import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

/** One statement on a scratch database. All methods are synchronous. */
export interface ScratchStatement<Row> {
  all(...values: SQLInputValue[]): Row[]
  get(...values: SQLInputValue[]): Row | undefined
  run(...values: SQLInputValue[]): void
}

/** A temporary database for work on more rows than fit in memory. */
export interface Scratch {
  prepare<Row>(sql: string): ScratchStatement<Row>
  close(): void
}

/**
 * Opens a temporary SQLite database in an unnamed file, whichever database the installation uses. The file is
 * deleted on close and when the process ends. At most two megabytes of its rows are in memory.
 * @param schema statements that create its tables
 */
export function openScratch(schema: string): Scratch {
  const database = new DatabaseSync('')
  database.exec(
    `PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; ${schema}`,
  )
  // One transaction stays open until the end. Without it, each row would be written separately.
  database.exec('BEGIN')
  return {
    prepare: (sql) => database.prepare(sql) as never,
    close: () => database.close(),
  }
}
