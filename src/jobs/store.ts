import { sql } from 'kysely'
import { compiled, type Params } from '../db/compiled.ts'
import type { Database, Queries, Transaction } from '../db/database.ts'
import type { JobsTable } from '../db/tables.ts'

/** A job as a worker holds it: the lease is what it may write under. */
export interface ClaimedJob {
  readonly id: string
  readonly kind: string
  readonly payload: unknown
  readonly attempts: number
  readonly errors: readonly JobError[]
  readonly lease: string
}

/** Why a try failed, as a caller may see it. */
export interface JobError {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly code: string
  readonly message: string
}

export type JobRow = JobsTable

const over = { due_at: null, lease: null } as const
const errorsKept = 10
const deletedAtOnce = 500

/**
 * Writes a job that waits, or gives the one of the same kind and key that waits already; of two times the earlier holds.
 * @returns the id of the job that waits now
 */
export async function insertJob(tx: Transaction, job: NewRow): Promise<string> {
  const [inserted] = await insertUnlessWaiting(tx, job)
  if (inserted) return inserted.id
  const [waiting] = await bringForward(tx, { kind: job.kind, key: job.key, dueAt: job.dueAt })
  if (!waiting) throw new Error(`The job ${job.id} collides with another one`)
  return waiting.id
}

type NewRow = Pick<JobRow, 'id' | 'kind' | 'key' | 'payload'> & { now: number; dueAt: number }

const insertUnlessWaiting = compiled((db, p: Params<NewRow>) =>
  db
    .insertInto('jobs')
    .values({
      id: p('id'),
      kind: p('kind'),
      key: p('key'),
      payload: p('payload'),
      state: 'created',
      due_at: p('dueAt'),
      lease: null,
      attempts: 0,
      percent: 0,
      progress_text: null,
      errors: '[]',
      created_at: p('now'),
      updated_at: p('now'),
      done_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id'),
)

const bringForward = compiled((db, p: Params<{ kind: string; key: string | null; dueAt: number }>) =>
  db
    .updateTable('jobs')
    .set({ due_at: sql`case when due_at > ${p('dueAt')} then ${p('dueAt')} else due_at end` })
    .where('kind', '=', p('kind'))
    .where('key', '=', p('key'))
    .where('state', '=', 'created')
    .returning('id'),
)

export async function findJob(queries: Queries, id: string): Promise<JobRow | undefined> {
  const [row] = await selectJob(queries, { id })
  return row
}

const selectJob = compiled((db, p: Params<{ id: string }>) =>
  db.selectFrom('jobs').selectAll().where('id', '=', p('id')),
)

/** The oldest jobs of these kinds that a worker may take: new ones, due again, or left by a worker that is gone. */
export async function listDueJobs(queries: Queries, due: DueJobs): Promise<string[]> {
  const rows = await selectDueJobs(queries, due)
  return rows.map(({ id }) => id)
}

type DueJobs = { kinds: readonly string[]; now: number; limit: number }

const selectDueJobs = compiled((db, p: Params<DueJobs>) =>
  db
    .selectFrom('jobs')
    .select('id')
    .where('due_at', '<=', p('now'))
    .where('kind', 'in', p.list('kinds'))
    .orderBy('due_at')
    .orderBy('id')
    .limit(p('limit')),
)

/** Takes those of the jobs that are still due. Of two workers that try, one gets it. */
export async function claimJobs(tx: Transaction, claim: Claim): Promise<ClaimedJob[]> {
  const rows = await claimDueJobs(tx, claim)
  return rows.map(({ payload, errors, ...row }) => ({
    ...row,
    payload: JSON.parse(payload),
    errors: JSON.parse(errors),
    lease: claim.lease,
  }))
}

type Claim = { ids: readonly string[]; lease: string; now: number; until: number }

const claimDueJobs = compiled((db, p: Params<Claim>) =>
  db
    .updateTable('jobs')
    .set({ state: 'doing', lease: p('lease'), due_at: p('until'), attempts: sql`attempts + 1`, updated_at: p('now') })
    .where('id', 'in', p.list('ids'))
    .where('due_at', '<=', p('now'))
    .returning(['id', 'kind', 'payload', 'attempts', 'errors']),
)

/** Holds on to a job and notes how far it is. False, here and below, when the lease is lost and nothing was written. */
export async function extendLease(tx: Transaction, { id, lease }: ClaimedJob, change: Progress): Promise<boolean> {
  return (await updateProgress(tx, { id, lease, ...change })) === 1
}

type Held = { id: string; lease: string; now: number }
type Progress = { now: number; until: number; percent: number; text: string | null }

const updateProgress = compiled((db, p: Params<Held & Progress>) =>
  db
    .updateTable('jobs')
    .set({ due_at: p('until'), percent: p('percent'), progress_text: p('text'), updated_at: p('now') })
    .where('id', '=', p('id'))
    .where('lease', '=', p('lease')),
)

export async function finishJob(tx: Transaction, { id, lease }: ClaimedJob, now: number): Promise<boolean> {
  return (await updateDone(tx, { id, lease, now })) === 1
}

const updateDone = compiled((db, p: Params<Held>) =>
  db
    .updateTable('jobs')
    .set({ ...over, state: 'done', percent: 100, updated_at: p('now'), done_at: p('now') })
    .where('id', '=', p('id'))
    .where('lease', '=', p('lease')),
)

/** @param retryAt when it is tried again; null gives it up */
export async function failJob(
  tx: Transaction,
  { id, lease, errors }: ClaimedJob,
  error: JobError,
  retryAt: number | null,
): Promise<boolean> {
  const failed = tx
    .updateTable('jobs')
    .set({ errors: JSON.stringify([...errors, error].slice(-errorsKept)), lease: null, due_at: retryAt })
    .set(retryAt === null ? { state: 'error', done_at: error.at } : { state: 'blocked' })
    .set({ updated_at: error.at })
    .where('id', '=', id)
    .where('lease', '=', lease)
  return (await failed.executeTakeFirst()).numUpdatedRows === 1n
}

/** Gives a job back that was not brought to an end; the try does not count. */
export async function releaseJob(tx: Transaction, { id, lease }: ClaimedJob, now: number): Promise<boolean> {
  const released = tx
    .updateTable('jobs')
    .set({ state: 'blocked', lease: null, due_at: now, attempts: sql`attempts - 1`, updated_at: now })
    .where('id', '=', id)
    .where('lease', '=', lease)
  return (await released.executeTakeFirst()).numUpdatedRows === 1n
}

/** False when it is over already. */
export async function cancelJob(tx: Transaction, id: string, now: number): Promise<boolean> {
  const canceled = tx
    .updateTable('jobs')
    .set({ ...over, state: 'canceled', updated_at: now, done_at: now })
    .where('id', '=', id)
    .where('due_at', 'is not', null)
  return (await canceled.executeTakeFirst()).numUpdatedRows === 1n
}

/** Deletes what was over before that time, a little at a time. */
export async function deleteFinishedJobs(db: Database, before: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const old = db.read.selectFrom('jobs').select('id').where('done_at', '<', before).limit(deletedAtOnce)
    const ids = (await old.execute()).map(({ id }) => id)
    if (ids.length === 0) return
    await db.transaction((tx) => tx.deleteFrom('jobs').where('id', 'in', ids).execute())
  }
}
