import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { Row, Statement, StatementResult } from '../connection.ts'
import type { DatabaseOptions } from '../database.ts'
import { checkValues } from '../values.ts'

/** One open handle on the file, with its prepared statements. All methods are synchronous. */
export interface SqliteConnection {
  run(statement: Statement, values: readonly unknown[]): StatementResult
  iterate(statement: Statement, values: readonly unknown[]): Iterable<Row>
  /** Runs a statement that has no values and returns no rows: BEGIN, COMMIT, PRAGMA … */
  exec(sql: string): void
  /**
   * Whether a transaction is open. SQLite itself ends a transaction if the disk is full, after an I/O error,
   * or if memory runs out.
   */
  readonly isTransaction: boolean
  close(): void
}

interface Prepared {
  /** Returns the rows as arrays. */
  readonly statement: StatementSync
  rows: RowMaker
}

interface RowMaker {
  /** Empty for a statement that returns no rows. */
  readonly columns: number
  make(values: readonly unknown[]): Row
}

const maxCachedStatements = 256

/**
 * Opens the file with the settings that are needed for durability and for a second process on the same file.
 * The busy timeout is 0, because SQLite would block the event loop while it waits. Callers retry with a timer
 * instead.
 */
export function openSqliteConnection(
  path: string,
  { readOnly, durability }: { readOnly: boolean } & Pick<DatabaseOptions, 'durability'>,
): SqliteConnection {
  const database = new DatabaseSync(path, { readOnly, timeout: 0, enableForeignKeyConstraints: true })
  try {
    if (!readOnly) writeAhead(database, path)
    database.exec(`
      PRAGMA synchronous = ${durability === 'off' ? 'OFF' : 'FULL'};
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
      if (prepared.rows.columns === 0)
        return { rows: [], affected: Number(prepared.statement.run(...bound).changes) }
      const arrays = prepared.statement.all(...bound) as unknown as unknown[][]
      // A migration of another process changed the columns of `*`.
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

/**
 * Switches the file to WAL mode, which the file stores. The switch needs a moment in which no other process
 * has the file open.
 */
function writeAhead(database: DatabaseSync, path: string): void {
  const mode = database.prepare('PRAGMA journal_mode = WAL').get()?.journal_mode
  if (mode !== 'wal')
    throw new Error(`${path} is on a file system that does not support a write-ahead log (${mode})`)
}

const rowsOf = (statement: StatementSync) => rowMaker(statement.columns().map(({ name }) => name))

/**
 * Generates a function that creates rows of these columns with one hidden class. The rows of node:sqlite are
 * dictionaries: creating and reading one with forty columns costs twice as much.
 */
function rowMaker(names: readonly string[]): RowMaker {
  const fields = names.map((name, index) => `${JSON.stringify(name)}: values[${index}]`)
  const make = new Function('values', `return { ${fields.join(', ')} }`) as (
    values: readonly unknown[],
  ) => Row
  return { columns: names.length, make }
}

/**
 * A cache of prepared statements by SQL text. Named statements stay forever, because the code defines a
 * limited number of them. Other statements are kept in two generations, so that used statements stay and
 * ad-hoc queries with lists of varying length do not accumulate.
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
    if (young.size >= maxCachedStatements / 2) {
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
