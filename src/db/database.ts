import type { Kysely } from 'kysely'
import type { Connection, connection } from './connection.ts'
import type { DialectName } from './dialects.ts'
import type { Tables } from './tables.ts'

/** What store functions that only read take first: the reading side of the database, a transaction or a snapshot. */
export type Queries = Pick<
  Kysely<Tables>,
  'selectFrom' | 'selectNoFrom' | 'with' | 'withRecursive' | 'case' | 'fn' | 'dynamic' | 'getExecutor'
> & { readonly [connection]: Connection }

/** What store functions that write take first. There is no other way to write. */
export type Transaction = Queries & Pick<Kysely<Tables>, 'insertInto' | 'updateTable' | 'deleteFrom'>

/** How much a transaction is to outlive. */
export interface Durability {
  /**
   * `false` for what may be lost when the machine, or PostgreSQL itself, breaks down, so that no sync is waited for: what was
   * acknowledged outlives Partita's own process even so, and is seen by the others. `true` where it is not given.
   */
  readonly durable?: boolean
}

/** One database behind both dialects. Nothing above db/ knows which one it is. */
export interface Database {
  readonly dialect: DialectName
  /**
   * For reads outside of a transaction; using it inside of one throws. Sees everything that was acknowledged before the
   * read began. Rejects with DATABASE_UNAVAILABLE when the database is away. `stream()` sees one moment throughout.
   */
  readonly read: Queries
  /**
   * Runs `work` in a serializable write transaction and resolves after it is durable (synced to disk), as far as it is to be.
   * `work` awaits nothing but `tx`, and may run more than once. A transaction inside a transaction throws.
   * After a statement that failed nothing of `work` is kept, whether it caught the error or not.
   * Rejects with what `work` threw, or with DATABASE_UNAVAILABLE when the database is locked, full or away.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, durability?: Durability): Promise<T>
  /** Reads that all see one and the same moment, however long they take, on a connection of their own. */
  snapshot<T>(work: (snapshot: Queries) => Promise<T>): Promise<T>
  /**
   * A write transaction for migrations and for restoring: it waits for other processes without a limit of time, may take
   * long, awaits what it likes, and nothing else is written meanwhile (PostgreSQL: no other exclusive work runs).
   */
  exclusive<T>(work: (tx: Kysely<unknown>) => Promise<T>): Promise<T>
  /** Resolves when the database answers, and SQLite's file is still where it was; else rejects with DATABASE_UNAVAILABLE. */
  ping(): Promise<void>
  /** Waits for the transactions that were begun; then the database takes no more. */
  close(): Promise<void>
}
