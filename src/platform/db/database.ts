import type { Kysely } from 'kysely'
import type { Connection, connection } from './connection.ts'
import type { DialectName } from './dialects.ts'
import type { Tables } from './tables.ts'

/**
 * The first parameter of store functions that only read: the read side of the database, a transaction or a
 * snapshot.
 */
export type Queries = Pick<
  Kysely<Tables>,
  'selectFrom' | 'selectNoFrom' | 'with' | 'withRecursive' | 'case' | 'fn' | 'dynamic' | 'getExecutor'
> & { readonly [connection]: Connection }

/** The first parameter of store functions that write. There is no other way to write. */
export type Transaction = Queries & Pick<Kysely<Tables>, 'insertInto' | 'updateTable' | 'deleteFrom'>

/** Which failures a transaction must survive. */
export interface Durability {
  /**
   * `false` for writes that may be lost when the machine or PostgreSQL itself crashes: the COMMIT does not
   * wait for a sync to disk. Such a write is still visible to all processes and survives a crash of Partita's
   * own process. Default: `true`.
   */
  readonly durable?: boolean
}

export interface DatabaseOptions {
  /** Logs the error of an `afterCommit` callback. Without it, the error becomes a warning of the process. */
  readonly logError?: (error: unknown) => void
  /** Called after the COMMIT of each group of transactions, with the number of transactions. */
  readonly onGroup?: (transactions: number) => void
  /** With `off`, no commit is synced to disk, whatever its transaction requests. For tests. */
  readonly durability?: 'full' | 'off'
}

/** The load of a database at one moment. */
export interface DatabaseStats {
  /** The connections that stay open, and those of them that run a statement or a transaction. */
  readonly connections: { readonly open: number; readonly busy: number }
  /** The number of reads that have not been answered, without streams and snapshots. */
  readonly pendingReads: number
  /** The number of transactions that wait for a group. */
  readonly waitingTransactions: number
}

/** The callbacks of `DatabaseOptions`. */
export type DatabaseEvents = Required<Pick<DatabaseOptions, 'logError' | 'onGroup'>>

/** The default of `DatabaseOptions.logError`. */
export function warnOf(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error))
}

/** A database of either dialect. Only code in db/ depends on the dialect. */
export interface Database {
  readonly dialect: DialectName
  /**
   * For reads outside of a transaction. Using it inside of one throws. A read sees every write that was
   * acknowledged before the read began. Rejects with DATABASE_UNAVAILABLE while the database is unavailable.
   * `stream()` shows one consistent state.
   */
  readonly read: Queries
  /**
   * Runs `work` in a serializable write transaction. Resolves after the COMMIT, which is synced to disk
   * unless `durability` says otherwise. `work` must await only `tx`, and may run more than once. A
   * transaction inside a transaction throws. If a statement fails, the transaction is rolled back even if
   * `work` caught the error. Rejects with the error that `work` threw, or with DATABASE_UNAVAILABLE if the
   * database is locked, full or unavailable.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, durability?: Durability): Promise<T>
  /** Runs reads that all see the same state, however long they take, on a separate connection. */
  snapshot<T>(work: (snapshot: Queries) => Promise<T>): Promise<T>
  /**
   * Runs a write transaction for migrations and restores. It waits for other processes without a timeout, may
   * take long, and may await any promise. Meanwhile no other transaction writes (on PostgreSQL: no other
   * exclusive work runs).
   */
  exclusive<T>(work: (tx: Kysely<unknown>) => Promise<T>): Promise<T>
  /**
   * Resolves if the database answers and, for SQLite, its file is still in place. Otherwise rejects with
   * DATABASE_UNAVAILABLE.
   */
  ping(): Promise<void>
  stats(): DatabaseStats
  /** Waits for running transactions. New transactions are refused. */
  close(): Promise<void>
}
