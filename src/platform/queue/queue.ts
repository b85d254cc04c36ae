import { afterCommit } from '../db/after-commit.ts'
import type { Database, Queries, Transaction } from '../db/database.ts'
import type { JobsTable } from '../db/platform-tables.ts'
import type { Clock } from '../../lib/clock.ts'
import type { NewId } from '../../lib/ids.ts'
import type { JobPayloads } from './kinds.ts'
import { type Lane, lanes } from './lanes.ts'
import {
  cancelJob,
  deleteFinishedJobs,
  findJob,
  findLastEnd,
  insertJob,
  type JobError,
  listBacklog,
} from './store.ts'
import { day } from '../../lib/durations.ts'

/** A job to enqueue. It runs after the transaction has committed, and never if the transaction fails. */
export interface NewJob<Payload, Kind> {
  kind: Kind
  payload: Payload
  /** The earliest time of the run, in milliseconds since 1970. Default: now. */
  runAt?: number
  /** At most one job of a kind and key waits. Enqueuing another one can only make the waiting job run earlier. */
  key?: string
}

/** The state of a job. Times are milliseconds since 1970. */
export interface JobStatus {
  readonly id: string
  readonly kind: string
  /** `blocked` is a job that waits for its next attempt. */
  readonly state: JobsTable['state']
  /** From 0 to 100. */
  readonly percent: number
  readonly text: string | undefined
  /** The errors of at most ten attempts, the latest last. */
  readonly errors: readonly JobError[]
  readonly createdAt: number
  readonly updatedAt: number
  readonly doneAt: number | undefined
}

/** A durable queue in the database. */
export interface JobQueue<Payloads = JobPayloads> {
  /**
   * Enqueues a job within a transaction.
   * @returns the id of the new job, or of the job of the same kind and key that waits already
   */
  enqueue<Kind extends keyof Payloads & string>(
    tx: Transaction,
    job: NewJob<Payloads[Kind], Kind>,
  ): Promise<string>
  /** Returns the state of a job, or undefined if the job does not exist or ended more than a week ago. */
  find(queries: Queries, id: string): Promise<JobStatus | undefined>
  /**
   * Cancels a job. The signal of a running job aborts within half a minute.
   * @returns false if the job has ended
   */
  cancel(tx: Transaction, id: string): Promise<boolean>
  /**
   * Returns when the latest run of a kind that ended at or before a time has ended, or undefined if there was none within a
   * week. Times are milliseconds since 1970.
   */
  lastRun(queries: Queries, kind: keyof Payloads & string, until: number): Promise<number | undefined>
  /** Returns how many jobs of each lane are due and not running, and for how many milliseconds the oldest has waited. */
  backlog(queries: Queries): Promise<Record<Lane, LaneBacklog>>
  /** Deletes jobs that ended more than a week ago. */
  deleteFinished(db: Database, signal: AbortSignal): Promise<void>
  /** Sets the listener that runs after each commit for each lane that got a job: the worker of this process. */
  onEnqueue(listener: (lane: Lane) => void): void
}

export interface LaneBacklog {
  readonly waiting: number
  readonly oldestAge: number
}

/** How long a job is kept after its end, in milliseconds. */
export const jobRetention = 7 * day

/** @param laneOfKind the lane of each kind of job */
export function jobQueue<Payloads = JobPayloads>(
  clock: Clock,
  newId: NewId,
  laneOfKind: Readonly<Record<keyof Payloads & string, Lane>>,
): JobQueue<Payloads> {
  const lanesOf = new WeakMap<Transaction, Set<Lane>>()
  let notifyWorker = (_lane: Lane): void => {}

  function notifyAfterCommit(tx: Transaction, lane: Lane): void {
    const notified = lanesOf.get(tx) ?? new Set()
    if (notified.has(lane)) return
    lanesOf.set(tx, notified.add(lane))
    afterCommit(tx, () => notifyWorker(lane))
  }

  return {
    async enqueue(tx, { kind, payload, runAt, key }) {
      const lane = laneOfKind[kind]
      notifyAfterCommit(tx, lane)
      const now = clock.now()
      const { user = null } = payload as { user?: string | null }
      return insertJob(tx, {
        id: newId(),
        kind,
        lane,
        turn_key: user ?? kind,
        key: key ?? null,
        payload: JSON.stringify(payload),
        user_id: user,
        now,
        dueAt: runAt ?? now,
      })
    },

    async find(queries, id) {
      const row = await findJob(queries, id)
      return (
        row && {
          id: row.id,
          kind: row.kind,
          state: row.state,
          percent: row.percent,
          text: row.progress_text ?? undefined,
          errors: JSON.parse(row.errors),
          createdAt: row.created_at,
          updatedAt: row.updated_at,
          doneAt: row.done_at ?? undefined,
        }
      )
    },

    lastRun: (queries, kind, until) => findLastEnd(queries, kind, until),
    cancel: (tx, id) => cancelJob(tx, id, clock.now()),

    async backlog(queries) {
      const now = clock.now()
      const rows = new Map((await listBacklog(queries, now)).map((row) => [row.lane, row]))
      const of = (lane: Lane): LaneBacklog => {
        const { waiting = 0, oldest = now } = rows.get(lane) ?? {}
        return { waiting, oldestAge: now - oldest }
      }
      return Object.fromEntries(lanes.map((lane) => [lane, of(lane)])) as Record<Lane, LaneBacklog>
    },

    deleteFinished: (db, signal) => deleteFinishedJobs(db, clock.now() - jobRetention, signal),

    onEnqueue(listener) {
      notifyWorker = listener
    },
  }
}
