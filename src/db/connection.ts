import {
  type DatabaseConnection,
  DefaultQueryExecutor,
  Transaction as KyselyTransaction,
  type QueryResult,
} from 'kysely'
import type { Transaction } from './database.ts'
import { type DialectName, dialects } from './dialects.ts'

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
  /** The rows in chunks, all of one moment, with memory for one chunk only. */
  stream(statement: Statement, values: readonly unknown[], chunkSize: number): AsyncIterableIterator<Row[]>
}

/** The connection behind a `Queries`, for queries that were compiled before. */
export const connection: unique symbol = Symbol('connection')

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
