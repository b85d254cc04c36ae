import pg from 'pg'
import { Failure } from '../../../errors.ts'
import type { Statement, StatementResult } from '../connection.ts'
import { connectionConfig, runOfNamedStatement, runOn } from './postgres-connections.ts'
import { isStalePlan } from './postgres-errors.ts'
import { type PreparedRun, sendPrepared } from './postgres-prepared.ts'

export interface Readers {
  run(statement: Statement, values: readonly unknown[]): Promise<StatementResult>
  /** The number of reads that have not been answered, and of the connections. */
  stats(): {
    readonly pending: number
    readonly connections: { readonly open: number; readonly busy: number }
  }
  close(): Promise<void>
}

/** A connection that reads share. */
interface Reader {
  client: Promise<pg.Client> | undefined
  /** The number of reads that have not been answered. */
  waiting: number
  /** The reads that are sent at the end of this iteration of the event loop. */
  queued: PreparedRun[]
}

/** The maximum number of reads in a batch. A slow read delays the others of its batch. */
const defaultBatchSize = 16

/**
 * A few connections that all reads outside of transactions share. The reads of one iteration of the event loop are sent together,
 * pipelined behind the reads that the server has not answered yet, and answered together. A pool would reserve a connection for
 * each read, which doubles the cost of a read in this process. A batch uses the connection with the shortest queue, so that a slow
 * read delays few others.
 * @param size the number of connections
 */
export function openReaders(url: string, size: number, batchSize: number = defaultBatchSize): Readers {
  let closed = false
  const readers = Array.from({ length: size }, (): Reader => ({ client: undefined, waiting: 0, queued: [] }))
  let lastReader: Reader | undefined

  function connect(reader: Reader): Promise<pg.Client> {
    const client = new pg.Client(connectionConfig(url))
    const drop = () => {
      if (reader.client === connected) reader.client = undefined
    }
    client.on('error', drop)
    client.on('end', drop)
    const connected = client.connect().then(() => client)
    connected.catch(drop)
    return connected
  }

  /** Returns the reader of the batch that is filled, or the one with the shortest queue. */
  function chooseReader(): Reader {
    const filled = lastReader?.queued.length ?? 0
    if (lastReader && filled > 0 && filled < batchSize) return lastReader
    lastReader = readers.reduce((best, other) => (other.waiting < best.waiting ? other : best))
    return lastReader
  }

  function enqueue(reader: Reader, run: PreparedRun): void {
    if (reader.queued.push(run) > 1) return
    setImmediate(() => {
      const runs = reader.queued
      reader.queued = []
      // The connection may have ended since the first of them was queued.
      reader.client ??= connect(reader)
      reader.client.then(
        (client) => {
          for (let at = 0; at < runs.length; at += batchSize)
            sendPrepared(client, runs.slice(at, at + batchSize))
        },
        (error) => {
          for (const run of runs) run.fail(error)
        },
      )
    })
  }

  async function run(statement: Statement, values: readonly unknown[]): Promise<StatementResult> {
    if (closed) throw new Failure('DATABASE_UNAVAILABLE', { cause: new Error('The database is closed') })
    const prepared = runOfNamedStatement(statement, values)
    const reader = chooseReader()
    reader.client ??= connect(reader)
    const connected = reader.client
    reader.waiting++
    try {
      if (!prepared) return await runOn(await connected, statement, values)
      enqueue(reader, prepared)
      return await prepared.result
    } catch (error) {
      if (!isStalePlan(error)) throw error
      if (reader.client === connected) {
        reader.client = undefined
        void connected.then((client) => client.end())
      }
    } finally {
      reader.waiting--
    }
    return run(statement, values)
  }

  return {
    run,
    stats: () => ({
      pending: readers.reduce((sum, { waiting }) => sum + waiting, 0),
      connections: {
        open: readers.filter(({ client }) => client).length,
        busy: readers.filter(({ waiting }) => waiting > 0).length,
      },
    }),
    async close() {
      closed = true
      await Promise.all(readers.map(async ({ client }) => (await client?.catch(() => undefined))?.end()))
    },
  }
}
