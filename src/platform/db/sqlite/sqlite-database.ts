import type { Stats } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { Failure } from '../../../errors.ts'
import { type Connection, queriesOn, type Row, type Statement } from '../connection.ts'
import { type Database, type DatabaseOptions, warnOf } from '../database.ts'
import { transactionScope } from '../transaction-scope.ts'
import { openSqliteConnection, type SqliteConnection } from './sqlite-connection.ts'
import { fromSqlite, isBusy } from './sqlite-errors.ts'
import { sqliteScans } from './sqlite-scans.ts'
import {
  type SqliteLimits,
  sqliteLimits,
  sqliteTransactions,
  type TransactionRunConnection,
} from './sqlite-transactions.ts'

/**
 * Opens the file, and creates it and its folder if they do not exist. One connection writes and another one
 * reads. Scans are read in a thread with its own connection, because a read stops the process until it is answered. Every stream
 * and snapshot opens its own connection, because an open cursor pins its connection to an old state.
 */
export async function openSqliteDatabase(
  path: string,
  {
    limits = sqliteLimits,
    logError = warnOf,
    onGroup = () => {},
    durability = 'full',
  }: DatabaseOptions & { readonly limits?: SqliteLimits } = {},
): Promise<Database> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const openReader = () => retryWhileBusy(() => openSqliteConnection(path, { readOnly: true }))
  const writer = await retryWhileBusy(() => openSqliteConnection(path, { readOnly: false, durability }))
  const reader = await openReader()
  const opened = await stat(path)
  const scans = sqliteScans(path)
  const scope = transactionScope()
  const group = sqliteTransactions(writer, scope, { limits, logError, onGroup, durability })
  let closed: Promise<void> | undefined

  async function* streamOnItsOwn(statement: Statement, values: readonly unknown[], chunkSize: number) {
    scope.refuseInside('A stream')
    const own = await openReader()
    try {
      yield* streamOn(own, statement, values, chunkSize)
    } finally {
      own.close()
    }
  }

  const read = queriesOn({
    dialect: 'sqlite',
    async run(statement, values) {
      scope.refuseInside('A read beside the transaction')
      if (statement.isScan) return retryWhileBusy(() => scans.run(statement, values))
      try {
        return reader.run(statement, values)
      } catch (error) {
        if (isBusy(error)) return retryWhileBusy(() => reader.run(statement, values))
        throw fromSqlite(error)
      }
    },
    stream: streamOnItsOwn,
  })

  return {
    dialect: 'sqlite',
    read,
    transaction: (work, durability) =>
      group.transaction((transactionRun) => work(queriesOn(transactionOn(transactionRun))), durability),
    exclusive: (work) =>
      group.alone((transactionRun) =>
        work(queriesOn(transactionOn(transactionRun)) as unknown as Kysely<unknown>),
      ),
    async snapshot(work) {
      scope.refuseInside('A snapshot')
      const own = await openReader()
      try {
        own.exec('BEGIN')
        await retryWhileBusy(() => own.run({ sql: 'SELECT count(*) FROM sqlite_schema' }, []))
        return await work(
          queriesOn({
            dialect: 'sqlite',
            async run(statement, values) {
              try {
                return own.run(statement, values)
              } catch (error) {
                throw fromSqlite(error)
              }
            },
            stream: (statement, values, chunkSize) => streamOn(own, statement, values, chunkSize),
          }),
        )
      } finally {
        own.close()
      }
    },
    async ping() {
      // SQLite would not access the file for a query of a constant.
      await retryWhileBusy(() => reader.run({ sql: 'SELECT count(*) FROM sqlite_schema', name: 'ping' }, []))
      await refuseUnlessAt(path, opened)
    },
    stats() {
      const { waiting, running } = group.stats()
      // Other reads than scans are answered at once.
      const pending = scans.pending()
      return {
        connections: { open: 2 + (scans.isOpen() ? 1 : 0), busy: running + (pending > 0 ? 1 : 0) },
        pendingReads: pending,
        waitingTransactions: waiting,
      }
    },
    close() {
      closed ??= group.close().then(async () => {
        await scans.close()
        reader.close()
        writer.close()
      })
      return closed
    },
  }
}

function transactionOn(connection: TransactionRunConnection): Connection {
  return {
    dialect: 'sqlite',
    transactionRun: connection.transactionRun,
    run: async (statement, values) => connection.run(statement, values),
    stream() {
      throw new Error('A transaction cannot stream: read a page of rows, or stream outside of it')
    },
  }
}

async function* streamOn(
  own: SqliteConnection,
  statement: Statement,
  values: readonly unknown[],
  chunkSize: number,
): AsyncIterableIterator<Row[]> {
  try {
    let chunk: Row[] = []
    for (const row of own.iterate(statement, values)) {
      chunk.push(row)
      if (chunk.length < chunkSize) continue
      yield chunk
      chunk = []
      await nextTurn()
    }
    if (chunk.length > 0) yield chunk
  } catch (error) {
    throw fromSqlite(error)
  }
}

/**
 * Throws if the file was moved, deleted or replaced. Writes to the open handle would be lost when the process
 * ends.
 */
async function refuseUnlessAt(path: string, { dev, ino }: Stats): Promise<void> {
  const stats = await stat(path).catch(() => undefined)
  if (stats?.dev === dev && stats.ino === ino) return
  throw new Failure('DATABASE_UNAVAILABLE', {
    cause: new Error(`${path} was moved, deleted or replaced since it was opened`),
  })
}

/**
 * Retries with a timer while another process holds a lock, for at most the time that a transaction waits for
 * it.
 */
async function retryWhileBusy<T>(attempt: () => T | Promise<T>): Promise<T> {
  const until = performance.now() + sqliteLimits.lock
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw fromSqlite(error)
    }
    await delay(1 + Math.random() * 4)
  }
}
