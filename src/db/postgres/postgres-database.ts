import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import { type Connection, queriesOn, type Row } from '../connection.ts'
import type { Database, Transaction } from '../database.ts'
import { refuseEnded, type Turn, transactionScope } from '../transaction-scope.ts'
import { connectAlone, openPool, runOn } from './postgres-connections.ts'
import { fromPostgres, isConflict } from './postgres-errors.ts'
import { openReaders } from './postgres-readers.ts'

/** Connections for transactions, one each, and for reads, which share them. */
const writerCount = 10
const readerCount = 4

/** How often a transaction is run before it is given up, when others keep winning over it. */
const attempts = 12

/** Any number will do, as long as it is this one: it names the lock of exclusive work among a server's advisory locks. */
const exclusiveLock = 7_041_685_023

/** @param url `postgres://user:password@host/database`, with the parameters that libpq knows */
export async function openPostgresDatabase(url: string): Promise<Database> {
  const pool = openPool(url, writerCount)
  const readers = openReaders(url, readerCount)
  const scope = transactionScope()
  const afterConflicts = oneByOne()
  let closed: Promise<unknown> | undefined

  async function attempt<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const client = await pool.connect().catch(raise)
    const turn: Turn = { open: true, failure: undefined }
    let broken: Error | undefined
    try {
      const begun = client.query('BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE')
      // The first statement is sent right behind it, and fails as well where BEGIN did.
      begun.catch(() => {})
      const value = await scope.enter(turn, () => work(queriesOn(transactionOn(client, turn))))
      turn.open = false
      await begun.catch(raise)
      if (turn.failure) throw turn.failure.error
      const { command } = await client.query('COMMIT').catch(raise)
      if (command !== 'COMMIT') throw new Error('PostgreSQL rolled the transaction back instead of committing it')
      return value
    } catch (error) {
      turn.open = false
      await client.query('ROLLBACK').catch((failure: Error) => {
        broken = failure
      })
      throw isConflict(turn.failure?.error) ? turn.failure?.error : error
    } finally {
      client.release(broken)
    }
  }

  async function retry<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    for (let tried = 2; ; tried++) {
      try {
        return await attempt(work)
      } catch (error) {
        if (!isConflict(error)) throw error
        if (tried >= attempts) throw fromPostgres(error)
      }
      await delay(Math.random() * Math.min(2 ** tried, 200))
    }
  }

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
    async transaction(work) {
      scope.refuseInside('A transaction')
      try {
        return await attempt(work)
      } catch (error) {
        if (!isConflict(error)) throw error
        return await afterConflicts(() => retry(work))
      }
    },
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
      closed ??= Promise.all([pool.end(), readers.close()])
      await closed
    },
  }
}

/**
 * Runs what it is given one after another. Transactions that lost a conflict go through here: those that fight over one
 * row would otherwise go on defeating one another, and most of them would be given up.
 */
function oneByOne(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work)
    last = mine.catch(() => {})
    return mine
  }
}

function transactionOn(client: pg.ClientBase, turn: Turn): Connection {
  return {
    dialect: 'postgres',
    async run(statement, values) {
      refuseEnded(turn)
      try {
        return await runOn(client, statement, values)
      } catch (error) {
        turn.failure ??= { error: isConflict(error) ? error : fromPostgres(error) }
        throw turn.failure.error
      }
    },
    stream() {
      throw new Error('A transaction does not stream: read a page of rows, or stream outside of it')
    },
  }
}

async function* streamOn(
  client: pg.ClientBase,
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

/** A conflict stays what it is, for whoever can try again. */
function raise(error: unknown): never {
  throw isConflict(error) ? error : fromPostgres(error)
}
