import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { Row, Statement, StatementResult } from '../connection.ts'
import { checkValues } from '../values.ts'

/** One open handle on the file, with the statements that were prepared on it. Everything on it is synchronous. */
export interface SqliteConnection {
  run(statement: Statement, values: readonly unknown[]): StatementResult
  iterate(statement: Statement, values: readonly unknown[]): Iterable<Row>
  /** Runs a statement without values and without rows: BEGIN, COMMIT, PRAGMA … */
  exec(sql: string): void
  /** Whether a transaction is open; SQLite ends one by itself when the disk is full, on an I/O error, without memory. */
  readonly isTransaction: boolean
  close(): void
}

interface Prepared {
  readonly statement: StatementSync
  readonly returnsRows: boolean
}

const statementsKept = 256

/**
 * Opens the file with the settings that durability and a second process on the same file need. The busy time-out is 0:
 * inside of SQLite it would stop the event loop, so whoever meets a lock tries again by a timer.
 */
export function openSqliteConnection(path: string, { readOnly }: { readOnly: boolean }): SqliteConnection {
  const database = new DatabaseSync(path, { readOnly, timeout: 0, enableForeignKeyConstraints: true })
  try {
    if (!readOnly) writeAhead(database, path)
    database.exec(`
      PRAGMA synchronous = FULL;
      PRAGMA fullfsync = ON;
      PRAGMA checkpoint_fullfsync = ON;
      PRAGMA temp_store = MEMORY;
      PRAGMA cache_size = -16384;
      PRAGMA journal_size_limit = 67108864;
      PRAGMA trusted_schema = OFF;
    `)
  } catch (error) {
    database.close()
    throw error
  }
  const prepare = statementCache(database)

  return {
    run(statement, values) {
      const { statement: prepared, returnsRows } = prepare(statement)
      checkValues(values)
      const bound = values as readonly SQLInputValue[]
      if (returnsRows) return { rows: prepared.all(...bound), affected: 0 }
      return { rows: [], affected: Number(prepared.run(...bound).changes) }
    },
    iterate(statement, values) {
      checkValues(values)
      return database.prepare(statement.sql).iterate(...(values as readonly SQLInputValue[]))
    },
    exec: (sql) => database.exec(sql),
    get isTransaction() {
      return database.isTransaction
    },
    close: () => database.close(),
  }
}

/** The file remembers this mode; to change it takes a moment in which nobody else has the file open. */
function writeAhead(database: DatabaseSync, path: string): void {
  const mode = database.prepare('PRAGMA journal_mode = WAL').get()?.journal_mode
  if (mode !== 'wal') throw new Error(`${path} is on a file system that cannot hold a write-ahead log (${mode})`)
}

/**
 * Prepared statements by their text: those with a name for good (there are as many as the code defines), the others in
 * two generations, so that one that is used stays and the lists of varying length of ad-hoc queries do not pile up.
 */
function statementCache(database: DatabaseSync): (statement: Statement) => Prepared {
  const named = new Map<string, Prepared>()
  let young = new Map<string, Prepared>()
  let old = new Map<string, Prepared>()

  function prepare(sql: string): Prepared {
    const statement = database.prepare(sql)
    return { statement, returnsRows: statement.columns().length > 0 }
  }

  function recall(sql: string): Prepared {
    const known = young.get(sql)
    if (known) return known
    const prepared = old.get(sql) ?? prepare(sql)
    if (young.size >= statementsKept / 2) {
      old = young
      young = new Map()
    }
    young.set(sql, prepared)
    return prepared
  }

  return ({ sql, name }) => {
    if (name === undefined) return recall(sql)
    const known = named.get(sql)
    if (known) return known
    const prepared = prepare(sql)
    named.set(sql, prepared)
    return prepared
  }
}
