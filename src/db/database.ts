import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** What store functions take first: the reading side of the database, or the transaction they run in. */
export type Queries = Kysely<Tables>

/** One database behind both dialects. Nothing above db/ knows which one it is. */
export interface Database {
  readonly dialect: 'sqlite' | 'postgres'
  /** For reads outside of a transaction. Sees everything that was acknowledged before the read began. */
  readonly read: Queries
  /**
   * Runs `work` in a serializable write transaction and resolves after it is durable (synced to disk).
   * `work` awaits nothing but `tx`, and may run more than once. A transaction inside a transaction throws.
   * Rejects with DATABASE_UNAVAILABLE when the database is locked, full or away; nothing of `work` is kept then.
   */
  transaction<T>(work: (tx: Queries) => Promise<T>): Promise<T>
  /** Resolves when the database answers; rejects with DATABASE_UNAVAILABLE otherwise. */
  ping(): Promise<void>
  close(): Promise<void>
}
