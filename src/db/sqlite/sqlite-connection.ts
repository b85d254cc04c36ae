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
  /** Gives its rows as arrays. */
  readonly statement: StatementSync
  rows: RowMaker
}

interface RowMaker {
  /** None for a statement that returns no rows. */
  readonly columns: number
  make(values: readonly unknown[]): Row
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
      const prepared = prepare(statement)
      checkValues(values)
      const bound = values as readonly SQLInputValue[]
      if (prepared.rows.columns === 0) return { rows: [], affected: Number(prepared.statement.run(...bound).changes) }
      const arrays = prepared.statement.all(...bound) as unknown as unknown[][]
      // Another process's migration has changed what `*` stands for.
      if (arrays[0] && arrays[0].length !== prepared.rows.columns) prepared.rows = rowsOf(prepared.statement)
      return { rows: arrays.map(prepared.rows.make), affected: 0 }
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

const rowsOf = (statement: StatementSync) => rowMaker(statement.columns().map(({ name }) => name))

/**
 * Makes rows that all have one shape, by a function that is written for these columns. The rows that node:sqlite makes
 * itself are hash tables: to make and to read one of forty columns costs twice as much.
 */
function rowMaker(names: readonly string[]): RowMaker {
  const fields = names.map((name, index) => `${JSON.stringify(name)}: values[${index}]`)
  const make = new Function('values', `return { ${fields.join(', ')} }`) as (values: readonly unknown[]) => Row
  return { columns: names.length, make }
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
    statement.setReturnArrays(true)
    return { statement, rows: rowsOf(statement) }
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
