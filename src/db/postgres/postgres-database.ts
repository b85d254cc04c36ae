import type { Kysely } from 'kysely'
import type pg from 'pg'
import { queriesOn, type Row } from '../connection.ts'
import type { Database } from '../database.ts'
import { type Turn, transactionScope } from '../transaction-scope.ts'
import { connectAlone, openPool, runOn } from './postgres-connections.ts'
import { raise } from './postgres-errors.ts'
import { openReaders } from './postgres-readers.ts'
import { postgresTransactions, transactionOn } from './postgres-transactions.ts'

/** Connections for groups of transactions, one each and mostly one in all, and for reads, which share them. */
const writerCount = 10
const readerCount = 4

/** Any number will do, as long as it is this one: it names the lock of exclusive work among a server's advisory locks. */
const exclusiveLock = 7_041_685_023

/** @param url `postgres://user:password@host/database`, with the parameters that libpq knows */
export async function openPostgresDatabase(url: string): Promise<Database> {
  const pool = openPool(url, writerCount)
  const readers = openReaders(url, readerCount)
  const scope = transactionScope()
  const transactions = postgresTransactions(pool, scope)
  let closed: Promise<unknown> | undefined

  return {
    dialect: 'postgres',
    read: queriesOn({
      dialect: 'postgres',
      async run(statement, values) {
        scope.refuseInside('A read beside the transaction')
        return await readers.run(statement, values).catch(raise)
      },
      async *stream(statement, values, chunkSize) {
        scope.refuseInside('A stream')
        const client = await connectAlone(url).catch(raise)
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
      const client = await connectAlone(url).catch(raise)
      const turn: Turn = { open: true, failure: undefined }
      try {
        // Not SERIALIZABLE: its snapshot would be taken before the lock is had, and miss what its last holder wrote.
        await client.query('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE').catch(raise)
        await client.query('SELECT pg_advisory_xact_lock($1)', [exclusiveLock]).catch(raise)
        const queries = queriesOn(transactionOn(client, turn))
        const value = await scope.enter(turn, () => work(queries as unknown as Kysely<unknown>))
        if (turn.failure) throw turn.failure.error
        await client.query('COMMIT').catch(raise)
        return value
      } finally {
        turn.open = false
        await client.end().catch(() => {})
      }
    },
    async snapshot(work) {
      scope.refuseInside('A snapshot')
      const client = await connectAlone(url).catch(raise)
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
    async close() {
      closed ??= Promise.all([transactions.close().then(() => pool.end()), readers.close()])
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
    await client.query('CLOSE stream').catch(() => {})
  }
}
