import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

/** One statement on a scratch database. Everything on it is synchronous. */
export interface ScratchStatement<Row> {
  all(...values: SQLInputValue[]): Row[]
  get(...values: SQLInputValue[]): Row | undefined
  run(...values: SQLInputValue[]): void
}

/** Tables of one's own, for work on more rows than memory should hold. */
export interface Scratch {
  prepare<Row>(sql: string): ScratchStatement<Row>
  close(): void
}

/**
 * Opens a file without a name, beside whichever database the installation has; it is gone when it is closed, also where the
 * process ends before. Of its rows no more than two megabytes are in memory.
 * @param schema statements that make its tables
 */
export function openScratch(schema: string): Scratch {
  const database = new DatabaseSync('')
  database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; ${schema}`)
  // One transaction that never ends: without one, each row would be written by itself.
  database.exec('BEGIN')
  return {
    prepare: (sql) => database.prepare(sql) as never,
    close: () => database.close(),
  }
}
