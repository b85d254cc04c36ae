import type { Kysely } from 'kysely'
import type pg from 'pg'
import { queriesOn, type Row } from '../connection.ts'
import { type Database, type DatabaseOptions, warnOf } from '../database.ts'
import { runAfterCommit, type TransactionRun, transactionScope } from '../transaction-scope.ts'
import { connectOutsidePool, execute, openPool, runOn } from './postgres-connections.ts'
import { raise } from './postgres-errors.ts'
import { openReaders } from './postgres-readers.ts'
import { postgresLimits, postgresTransactions, transactionOn } from './postgres-transactions.ts'

/**
 * The number of connections for groups of transactions (one per group, mostly one in use), and of the
 * connections that reads share, and of those for scans.
 */
const writerCount = 10
const readerCount = 4
const scannerCount = 2

/** The id of the advisory lock for exclusive work. The number is arbitrary but must never change. */
const exclusiveLock = 7_041_685_023

/** @param url `postgres://user:password@host/database`, with the parameters that libpq supports */
export async function openPostgresDatabase(
  url: string,
  { logError = warnOf, onGroup = () => {}, durability = 'full' }: DatabaseOptions = {},
): Promise<Database> {
  const pool = openPool(url, writerCount, durability)
  const readers = openReaders(url, readerCount)
  // A batch is answered when its slowest read is.
  const scanners = openReaders(url, scannerCount, 1)
  const scope = transactionScope()
  const transactions = postgresTransactions(pool, scope, postgresLimits, { logError, onGroup })
  let closed: Promise<unknown> | undefined

  return {
    dialect: 'postgres',
    read: queriesOn({
      dialect: 'postgres',
      async run(statement, values) {
        scope.refuseInside('A read beside the transaction')
        const connections = statement.isScan ? scanners : readers
        return await connections.run(statement, values).catch(raise)
      },
      async *stream(statement, values, chunkSize) {
        scope.refuseInside('A stream')
        const client = await connectOutsidePool(url).catch(raise)
        try {
          await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY').catch(raise)
          yield* streamOn(client, statement.sql, values, chunkSize)
        } finally {
          await client.end().catch(() => {})
        }
      },
    }),
    transaction: transactions.transaction,
    async exclusive(work) {
      scope.refuseInside('A transaction')
      const client = await connectOutsidePool(url, durability).catch(raise)
      const transactionRun: TransactionRun = { open: true, failure: undefined }
      try {
        // Not SERIALIZABLE: its snapshot would be taken before the lock is acquired, and miss the writes of
        // the previous holder.
        await client.query('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE').catch(raise)
        await client.query('SELECT pg_advisory_xact_lock($1)', [exclusiveLock]).catch(raise)
        const queries = queriesOn(transactionOn(client, transactionRun))
        const value = await scope.enter(transactionRun, () => work(queries as unknown as Kysely<unknown>))
        if (transactionRun.failure) throw transactionRun.failure.error
        await execute(client, 'COMMIT').catch(raise)
        runAfterCommit(transactionRun, logError)
        return value
      } finally {
        transactionRun.open = false
        await client.end().catch(() => {})
      }
    },
    async snapshot(work) {
      scope.refuseInside('A snapshot')
      const client = await connectOutsidePool(url).catch(raise)
      try {
        await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY').catch(raise)
        return await work(
          queriesOn({
            dialect: 'postgres',
            run: (statement, values) => runOn(client, statement, values).catch(raise),
            stream: ({ sql }, values, chunkSize) => streamOn(client, sql, values, chunkSize),
          }),
        )
      } finally {
        await client.end().catch(() => {})
      }
    },
    async ping() {
      await readers.run({ sql: 'SELECT 1' }, []).catch(raise)
    },
    stats() {
      const [reads, scans] = [readers.stats(), scanners.stats()]
      return {
        connections: {
          open: pool.totalCount + reads.connections.open + scans.connections.open,
          busy: pool.totalCount - pool.idleCount + reads.connections.busy + scans.connections.busy,
        },
        pendingReads: reads.pending + scans.pending,
        waitingTransactions: transactions.stats().waiting,
      }
    },
    async close() {
      closed ??= Promise.all([transactions.close().then(() => pool.end()), readers.close(), scanners.close()])
      await closed
    },
  }
}

async function* streamOn(
  client: pg.Client,
  sql: string,
  values: readonly unknown[],
  chunkSize: number,
): AsyncIterableIterator<Row[]> {
  await runOn(client, { sql: `DECLARE stream NO SCROLL CURSOR FOR ${sql}` }, values).catch(raise)
  try {
    for (;;) {
      const { rows } = await runOn(client, { sql: `FETCH ${chunkSize} FROM stream` }, []).catch(raise)
      if (rows.length > 0) yield rows
      if (rows.length < chunkSize) return
    }
  } finally {
    await execute(client, 'CLOSE stream').catch(() => {})
  }
}
