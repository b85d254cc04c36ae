import {
  type DatabaseConnection,
  DefaultQueryExecutor,
  Transaction as KyselyTransaction,
  type QueryResult,
} from 'kysely'
import type { Transaction } from './database.ts'
import { type DialectName, dialects } from './dialects.ts'
import type { Turn } from './transaction-scope.ts'

/** A statement as a connection runs it. One with a name is prepared once and kept. */
export interface Statement {
  readonly sql: string
  readonly name?: string
}

export type Row = Record<string, unknown>

export interface StatementResult {
  readonly rows: Row[]
  /** How many rows an insert, update or delete without `returning` wrote. */
  readonly affected: number
}

/** Where the statements of a `Queries` go: the reading side, one transaction, or one snapshot. */
export interface Connection {
  readonly dialect: DialectName
  run(statement: Statement, values: readonly unknown[]): Promise<StatementResult>
  /** The transaction that these are the statements of. */
  readonly turn?: Turn
  /** The rows in chunks, all of one moment, with memory for one chunk only. */
  stream(statement: Statement, values: readonly unknown[], chunkSize: number): AsyncIterableIterator<Row[]>
}

/** The connection behind a `Queries`, for queries that were compiled before. */
export const connection: unique symbol = Symbol('connection')

/**
 * For a write of a transaction, as its last step, whose answer the callback has no use for: the end of the transaction waits
 * for it and fails with it, and on PostgreSQL the next one of the group begins meanwhile.
 * @param write of one statement, or of several that are sent together
 */
export function unawaited(tx: Transaction, write: Promise<unknown>): void {
  const { turn } = tx[connection]
  if (!turn) throw new Error('Only what a transaction writes is waited for at its end')
  turn.unawaited ??= []
  turn.unawaited.push(write)
  // The turn knows of it.
  write.catch(() => {})
}

/**
 * The query builder on one connection. As Kysely's own `Transaction` it refuses to begin a transaction, and as it has
 * no driver there is no way around the connection that it was given.
 */
export function queriesOn(target: Connection): Transaction {
  const dialect = dialects[target.dialect]
  const driven = drivenByKysely(target)
  const executor = new DefaultQueryExecutor(dialect.createQueryCompiler(), dialect.createAdapter(), {
    provideConnection: (consumer) => consumer(driven),
  })
  const queries = new KyselyTransaction<object>({
    config: { dialect },
    dialect,
    driver: dialect.createDriver(),
    executor,
  })
  return Object.assign(queries, { [connection]: target }) as unknown as Transaction
}

function drivenByKysely(target: Connection): DatabaseConnection {
  return {
    async executeQuery<R>({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) {
      const { rows, affected } = await target.run({ sql }, parameters)
      return { rows: rows as R[], numAffectedRows: BigInt(affected) } satisfies QueryResult<R>
    },
    async *streamQuery<R>(
      { sql, parameters }: { sql: string; parameters: readonly unknown[] },
      chunkSize: number,
    ): AsyncIterableIterator<QueryResult<R>> {
      for await (const rows of target.stream({ sql }, parameters, chunkSize)) yield { rows: rows as R[] }
    },
  }
}
