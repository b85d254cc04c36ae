import {
  type DatabaseConnection,
  DefaultQueryExecutor,
  Transaction as KyselyTransaction,
  type QueryResult,
} from 'kysely'
import type { Transaction } from './database.ts'
import { type DialectName, dialects } from './dialects.ts'
import type { TransactionRun } from './transaction-scope.ts'

/** A statement for a connection. A named statement is prepared once and cached. */
export interface Statement {
  readonly sql: string
  readonly name?: string
  /**
   * The statement reads many rows to find few, so that it takes long. Outside of transactions and snapshots it runs beside
   * the other reads: on SQLite in a thread, on PostgreSQL on connections of their own.
   */
  readonly isScan?: boolean
}

export type Row = Record<string, unknown>

export interface StatementResult {
  readonly rows: Row[]
  /** The number of rows that an insert, update or delete without `returning` wrote. */
  readonly affected: number
}

/** The target of the statements of a `Queries`: the read side, one transaction, or one snapshot. */
export interface Connection {
  readonly dialect: DialectName
  run(statement: Statement, values: readonly unknown[]): Promise<StatementResult>
  /** The transaction run that the statements belong to. Undefined for the read side and for a snapshot. */
  readonly transactionRun?: TransactionRun
  /** Returns the rows of one consistent state in chunks. Only one chunk is in memory. */
  stream(statement: Statement, values: readonly unknown[], chunkSize: number): AsyncIterableIterator<Row[]>
}

/** The connection of a `Queries`, for compiled queries. */
export const connection: unique symbol = Symbol('connection')

/**
 * Defers waiting for a write to the end of its transaction. Use it for the last write of a callback that does not need the
 * result. If the write fails, the transaction fails. On PostgreSQL the next transaction of the group begins meanwhile.
 * @param write one statement, or several that are sent together
 */
export function deferredWrite(tx: Transaction, write: Promise<unknown>): void {
  const { transactionRun } = tx[connection]
  if (!transactionRun) throw new Error('deferredWrite needs a transaction')
  transactionRun.deferredWrites ??= []
  transactionRun.deferredWrites.push(write)
  // awaitRest reports the error.
  write.catch(() => {})
}

/**
 * Creates the query builder of one connection. Like Kysely's own `Transaction`, it refuses to begin a
 * transaction. It has no driver, so that every query uses the given connection.
 */
export function queriesOn(target: Connection): Transaction {
  const dialect = dialects[target.dialect]
  const driven = kyselyConnection(target)
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

function kyselyConnection(target: Connection): DatabaseConnection {
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
