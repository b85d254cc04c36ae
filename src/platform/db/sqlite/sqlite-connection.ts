import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { Row, Statement, StatementResult } from '../connection.ts'
import type { DatabaseOptions } from '../database.ts'
import { type MakeRow, rowMaker } from '../row-maker.ts'
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
  /** Makes the rows. Undefined for a statement that returns none. */
  rows: { readonly columns: number; readonly make: MakeRow } | undefined
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
      if (!prepared.rows) return { rows: [], affected: Number(prepared.statement.run(...bound).changes) }
      const arrays = prepared.statement.all(...bound) as unknown as unknown[][]
      // A migration of another process changed the columns of `*`.
      if (arrays[0] && arrays[0].length !== prepared.rows.columns)
        prepared.rows = rowsOf(prepared.statement) ?? prepared.rows
      const { make } = prepared.rows
      return { rows: arrays.map((values) => make(values)), affected: 0 }
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

function rowsOf(statement: StatementSync): Prepared['rows'] {
  const names = statement.columns().map(({ name }) => name)
  return names.length === 0 ? undefined : { columns: names.length, make: rowMaker(names) }
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
