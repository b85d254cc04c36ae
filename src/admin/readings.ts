import { statfs } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import type { PoolStats } from '../engines/hosts/pool.ts'
import { hour } from '../lib/durations.ts'
import type { DatabaseStats } from '../platform/db/database.ts'
import type { Lane } from '../platform/queue/lanes.ts'
import type { LaneBacklog } from '../platform/queue/queue.ts'
import type { Worker } from '../platform/queue/worker.ts'

/** The state of a process at one moment. What could not be read in time is undefined. */
export interface Readings {
  readonly role: Config['role']
  readonly dialect: string
  readonly engines: Readonly<Record<string, PoolStats>>
  readonly database: DatabaseStats
  /** Jobs of all processes that wait, and jobs of this process that run. */
  readonly backlog: Readonly<Record<Lane, LaneBacklog>> | undefined
  readonly running: Readonly<Record<Lane, number>>
  readonly blobBytes: number | undefined
  /** The disk of DATA_DIR. */
  readonly disk: { readonly size: number; readonly free: number } | undefined
}

/** Milliseconds that a reading waits for the database. Prometheus waits 10 seconds for an answer by default. */
const timeLimit = 3000
/** How long the sum of all blobs is used before it is computed again, because every row has to be read. */
const blobBytesLifetime = hour

/** Returns a function that reads the state of this process. */
export function readingsOf(ctx: Context, worker: Worker): () => Promise<Readings> {
  const { config, db, jobs, blobs, notation } = ctx
  let blobBytes: Promise<number> | undefined

  function sumBlobs(): Promise<number> {
    blobBytes ??= blobs.totalBytes(db.read)
    const current = blobBytes
    const forget = () => {
      if (blobBytes === current) blobBytes = undefined
    }
    current.then(() => setTimeout(forget, blobBytesLifetime).unref(), forget)
    return current
  }

  return async () => {
    const [backlog, bytes, disk] = await Promise.all([
      inTime(jobs.backlog(db.read)),
      inTime(sumBlobs()),
      inTime(statfs(config.dataDir)),
    ])
    return {
      role: config.role,
      dialect: db.dialect,
      engines: notation.stats(),
      database: db.stats(),
      backlog,
      running: worker.running(),
      blobBytes: bytes,
      disk: disk && { size: disk.blocks * disk.bsize, free: disk.bavail * disk.bsize },
    }
  }
}

/** Resolves to undefined if the promise rejects or takes too long. */
async function inTime<Value>(promise: Promise<Value>): Promise<Value | undefined> {
  const timeout = delay(timeLimit, undefined, { ref: false })
  return Promise.race([promise, timeout]).catch(() => undefined)
}
