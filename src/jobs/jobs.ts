import type { Database, Queries, Transaction } from '../db/database.ts'
import type { JobsTable } from '../db/tables.ts'
import type { Clock } from '../lib/clock.ts'
import type { NewId } from '../lib/ids.ts'
import type { JobPayloads } from './kinds.ts'
import { cancelJob, deleteFinishedJobs, findJob, insertJob, type JobError } from './store.ts'

/** Work that is asked for. It is done after the transaction that asks for it, or not at all. */
export interface NewJob<Payload, Kind> {
  kind: Kind
  payload: Payload
  /** Not before this time, in milliseconds since 1970; at once where nothing is said. */
  runAt?: number
  /** Of one kind and key only one job waits at a time; asking again brings it forward at most. */
  key?: string
}

/** How a job stands. Times are milliseconds since 1970. */
export interface JobStatus {
  readonly id: string
  readonly kind: string
  /** `blocked` is a job that waits for its next try. */
  readonly state: JobsTable['state']
  /** From 0 to 100. */
  readonly percent: number
  readonly text: string | undefined
  /** Why tries failed, the latest last; not more than ten. */
  readonly errors: readonly JobError[]
  readonly createdAt: number
  readonly updatedAt: number
  readonly doneAt: number | undefined
}

/** The durable queue, in the database. */
export interface Jobs<Payloads = JobPayloads> {
  /** @returns the id of the job, which is that of the one that waits already under the same key */
  enqueue<Kind extends keyof Payloads & string>(tx: Transaction, job: NewJob<Payloads[Kind], Kind>): Promise<string>
  /** Undefined when there is none, or it was over a week ago. */
  find(queries: Queries, id: string): Promise<JobStatus | undefined>
  /** A job that runs is told by its signal within half a minute. False when it is over already. */
  cancel(tx: Transaction, id: string): Promise<boolean>
  /** Deletes what has been over for a week. */
  forget(db: Database, signal: AbortSignal): Promise<void>
  /** The same database, which after a commit that asked for work says so to who listens. */
  announcing(db: Database): Database
  /** Calls the listener whenever there is work at once; one listener, the worker of this process. */
  onWork(listener: () => void): void
}

const keptMilliseconds = 7 * 24 * 60 * 60 * 1000

export function jobQueue<Payloads = JobPayloads>(clock: Clock, newId: NewId): Jobs<Payloads> {
  const askedForWork = new WeakSet<Transaction>()
  let announce = () => {}

  return {
    async enqueue(tx, { kind, payload, runAt, key }) {
      askedForWork.add(tx)
      const now = clock.now()
      const row = { id: newId(), kind, key: key ?? null, payload: JSON.stringify(payload) }
      return insertJob(tx, { ...row, now, dueAt: runAt ?? now })
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

    cancel: (tx, id) => cancelJob(tx, id, clock.now()),
    forget: (db, signal) => deleteFinishedJobs(db, clock.now() - keptMilliseconds, signal),

    announcing: (db) => ({
      ...db,
      async transaction(work, durability) {
        let last: Transaction | undefined
        const result = await db.transaction((tx) => {
          last = tx
          return work(tx)
        }, durability)
        if (last && askedForWork.has(last)) announce()
        return result
      },
    }),
    onWork(listener) {
      announce = listener
    },
  }
}
