import pg from 'pg'
import { Failure } from '../../../errors.ts'
import type { Statement, StatementResult } from '../connection.ts'
import { atEndOfIteration, connectionConfig, runOn } from './postgres-connections.ts'
import { isStalePlan } from './postgres-errors.ts'

export interface Readers {
  run(statement: Statement, values: readonly unknown[]): Promise<StatementResult>
  /** The number of reads that have not been answered, and of the connections. */
  stats(): {
    readonly pending: number
    readonly connections: { readonly open: number; readonly busy: number }
  }
  close(): Promise<void>
}

interface Lane {
  client: Promise<pg.Client> | undefined
  waiting: number
}

/**
 * A few connections that all reads outside of transactions share. A read is sent immediately, pipelined
 * behind the reads that the server has not answered yet. A pool would reserve a connection for each read,
 * which doubles the cost of a read in this process. A read uses the connection with the shortest queue, so
 * that a slow read delays few others.
 */
export function openReaders(url: string, size: number): Readers {
  let closed = false
  const lanes = Array.from({ length: size }, (): Lane => ({ client: undefined, waiting: 0 }))

  function connect(lane: Lane): Promise<pg.Client> {
    const client = new pg.Client(connectionConfig(url))
    const drop = () => {
      if (lane.client === connected) lane.client = undefined
    }
    client.on('error', drop)
    client.on('end', drop)
    const connected = client.connect().then(() => client)
    connected.catch(drop)
    return connected
  }

  async function run(statement: Statement, values: readonly unknown[]): Promise<StatementResult> {
    if (closed) throw new Failure('DATABASE_UNAVAILABLE', { cause: new Error('The database is closed') })
    const lane = lanes.reduce((best, other) => (other.waiting < best.waiting ? other : best))
    lane.client ??= connect(lane)
    const connected = lane.client
    lane.waiting++
    try {
      return await runOn(await connected, statement, values, atEndOfIteration)
    } catch (error) {
      if (!isStalePlan(error)) throw error
      if (lane.client === connected) {
        lane.client = undefined
        void connected.then((client) => client.end())
      }
    } finally {
      lane.waiting--
    }
    return run(statement, values)
  }

  return {
    run,
    stats: () => ({
      pending: lanes.reduce((sum, { waiting }) => sum + waiting, 0),
      connections: {
        open: lanes.filter(({ client }) => client).length,
        busy: lanes.filter(({ waiting }) => waiting > 0).length,
      },
    }),
    async close() {
      closed = true
      await Promise.all(lanes.map(async ({ client }) => (await client?.catch(() => undefined))?.end()))
    },
  }
}
