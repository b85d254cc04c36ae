import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Measurable } from './servers.ts'

/** Where a load goes: a server, and the paths that are requested in turn. */
interface LoadTarget {
  readonly url: string
  readonly paths: readonly string[]
}

/** The requests of a load. */
export interface Load {
  /** The connections are divided among them. */
  readonly targets: readonly LoadTarget[]
  readonly connections: number
  readonly seconds: number
  readonly method: string
  /** The token of the caller. */
  readonly token: string
  /** A body as JSON. Each `numberPlace` in it becomes a number that no other request of the process has. */
  readonly body?: string | undefined
}

export const numberPlace = '{n}'

/** What the thread of a load gets and returns. */
export type LoadTask = Load & { readonly run: number }
export interface LoadResult {
  /** The durations of the successful requests in milliseconds. */
  readonly durations: Float64Array
  /** The number of successful requests that were answered before the time was over. */
  readonly inTime: number
  readonly failed: number
  /** The CPU time of the thread in microseconds. */
  readonly cpu: number
}

export interface Measured {
  perSecond: number
  p50: number
  p99: number
  failed: number
  /** CPU times of a request in microseconds: of the clients, and of a server that was measured. */
  cpu: { client: number; server: number; database: number }
}

let runs = 0

/**
 * Sends requests from a thread on keep-alive connections. Each connection sends its next request when the one before is
 * answered.
 * @param servers those whose CPU time is measured: their processes with all threads and children, and their database
 *   connections
 */
export async function measureLoad(load: Load, servers: readonly Measurable[] = []): Promise<Measured> {
  const before = await cpuTimes(servers)
  const workerData: LoadTask = { ...load, run: ++runs }
  const worker = new Worker(new URL('load.worker.ts', import.meta.url), { workerData })
  const [result] = (await once(worker, 'message')) as [LoadResult]
  const after = await cpuTimes(servers)
  const durations = result.durations.toSorted()
  const requests = Math.max(1, durations.length)
  const quantile = (share: number) => durations[Math.floor((durations.length - 1) * share)] ?? Number.NaN
  return {
    perSecond: result.inTime / load.seconds,
    p50: quantile(0.5),
    p99: quantile(0.99),
    failed: result.failed,
    cpu: {
      client: result.cpu / requests,
      server: (after.server - before.server) / requests,
      database: (after.database - before.database) / requests,
    },
  }
}

async function cpuTimes(servers: readonly Measurable[]) {
  const times = await Promise.all(servers.map((server) => server.cpuTime()))
  return {
    server: times.reduce((sum, { server }) => sum + server, 0),
    database: times.reduce((sum, { database }) => sum + database, 0),
  }
}

/** The columns of a table for one measurement. */
export const columnsOf = ({ perSecond, p50, p99, failed, cpu }: Measured) => ({
  'requests/s': Math.round(perSecond),
  'CPU µs': Math.round(cpu.server),
  'database µs': Math.round(cpu.database),
  'client µs': Math.round(cpu.client),
  'p50 ms': Number(p50.toFixed(1)),
  'p99 ms': Number(p99.toFixed(1)),
  'p99/p50': Number((p99 / p50).toFixed(1)),
  failed,
})

/** Returns the middle of the measurements, ordered by a value, and the lowest and highest value. */
export function middleOf<Item>(items: readonly Item[], value: (item: Item) => number) {
  const sorted = items.toSorted((a, b) => value(a) - value(b))
  const [first, last] = [sorted[0], sorted.at(-1)]
  const middle = sorted[Math.floor(sorted.length / 2)]
  if (first === undefined || last === undefined || middle === undefined)
    throw new Error('Nothing was measured')
  return { middle, lowest: value(first), highest: value(last) }
}
