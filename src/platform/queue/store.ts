import { type Expression, sql } from 'kysely'
import { compiled, type Params } from '../db/compiled.ts'
import type { Database, Queries, Transaction } from '../db/database.ts'
import type { JobsTable } from '../db/platform-tables.ts'
import type { Lane } from './lanes.ts'

/** A job that a worker has claimed. The worker may write its row only while the row has this lease. */
export interface ClaimedJob extends Pick<JobsTable, 'id' | 'kind' | 'lane' | 'turn_key'> {
  readonly payload: unknown
  readonly attempts: number
  readonly errors: readonly JobError[]
  readonly lease: string
}

/** The error of an attempt, as users may see it. */
export interface JobError {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly code: string
  readonly message: string
}

const ended = { due_at: null, lease: null } as const
const maxErrors = 10
const deleteBatchSize = 500

/**
 * Inserts a waiting job. If a job of the same kind and key waits already, it gets the earlier of both times instead.
 * @returns the id of the waiting job
 */
export async function insertJob(tx: Transaction, job: NewRow): Promise<string> {
  const [inserted] = await insertUnlessWaiting(tx, job)
  if (inserted) return inserted.id
  const [waiting] = await moveForward(tx, { kind: job.kind, key: job.key, dueAt: job.dueAt })
  if (!waiting) throw new Error(`The job ${job.id} conflicts with another job`)
  return waiting.id
}

type NewRow = Pick<JobsTable, 'id' | 'kind' | 'lane' | 'turn_key' | 'key' | 'payload' | 'user_id'> & {
  now: number
  dueAt: number
}

const insertUnlessWaiting = compiled((db, p: Params<NewRow>) =>
  db
    .insertInto('jobs')
    .values({
      id: p('id'),
      kind: p('kind'),
      lane: p('lane'),
      turn_key: p('turn_key'),
      key: p('key'),
      payload: p('payload'),
      user_id: p('user_id'),
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

const moveForward = compiled((db, p: Params<{ kind: string; key: string | null; dueAt: number }>) =>
  db
    .updateTable('jobs')
    .set({ due_at: sql`case when due_at > ${p('dueAt')} then ${p('dueAt')} else due_at end` })
    .where('kind', '=', p('kind'))
    .where('key', '=', p('key'))
    .where('state', '=', 'created')
    .returning('id'),
)

export async function findJob(queries: Queries, id: string): Promise<JobsTable | undefined> {
  const [row] = await selectJob(queries, { id })
  return row
}

const selectJob = compiled((db, p: Params<{ id: string }>) =>
  db.selectFrom('jobs').selectAll().where('id', '=', p('id')),
)

/** Returns when the latest job of a kind that ended at or before a time has ended, in milliseconds since 1970. */
export async function findLastEnd(
  queries: Queries,
  kind: string,
  until: number,
): Promise<number | undefined> {
  const row = await queries
    .selectFrom('jobs')
    .select((eb) => eb.fn.max('done_at').as('done_at'))
    .where('kind', '=', kind)
    .where('done_at', '<=', until)
    .executeTakeFirst()
  return row?.done_at ?? undefined
}

/**
 * Returns a due job of a lane: a new job, a job to retry, or one whose lease has expired. The accounts of the lane are served in
 * the order of their ids, beginning after `after`, and each with its oldest job.
 */
export async function findDueJob(queries: Queries, due: DueJob): Promise<string | undefined> {
  const [next] = await selectDueJob(queries, due)
  const [first] = next || due.after === '' ? [next] : await selectDueJob(queries, { ...due, after: '' })
  return first?.id ?? undefined
}

interface DueJob {
  lane: Lane
  kinds: readonly string[]
  now: number
  /** The `turn_key` that was served last. Empty if there is none. */
  after: string
  /** Values of `turn_key` that are not served. */
  except: readonly string[]
}

/**
 * Steps from account to account in the index, however many jobs each of them has. The outer limit ends the recursion at the first
 * account with a due job, because both databases compute the rows of a recursion only as they are read, and in its order.
 */
const selectDueJob = compiled((db, p: Params<DueJob>) => {
  const open = () => db.selectFrom('jobs').where('jobs.lane', '=', p('lane')).where('due_at', 'is not', null)
  const next = (after: Expression<string>) =>
    open().where('turn_key', '>', after).orderBy('turn_key').limit(1).select('turn_key')
  return db
    .withRecursive('accounts', (cte) =>
      cte
        .selectNoFrom(() => next(p('after')).as('turn_key'))
        .unionAll(
          cte
            .selectFrom('accounts')
            .where('accounts.turn_key', 'is not', null)
            .select(({ ref }) => next(ref('accounts.turn_key').$notNull()).as('turn_key')),
        ),
    )
    .selectFrom((from) =>
      from
        .selectFrom('accounts')
        .where('accounts.turn_key', 'is not', null)
        .where('accounts.turn_key', 'not in', p.list('except'))
        .select(
          open()
            .where('jobs.turn_key', '=', sql.ref<string>('accounts.turn_key'))
            .where('due_at', '<=', p('now'))
            .where(p.isIn('kind', 'kinds'))
            .orderBy('due_at')
            .orderBy('id')
            .limit(1)
            .select('id')
            .as('id'),
        )
        .as('oldest'),
    )
    .where('oldest.id', 'is not', null)
    .select('oldest.id')
    .limit(1)
})

/** Returns the number of due jobs of each lane that has some, and since when the oldest is due. */
export async function listBacklog(
  queries: Queries,
  now: number,
): Promise<{ lane: Lane; waiting: number; oldest: number }[]> {
  return queries
    .selectFrom('jobs')
    .where('due_at', '<=', now)
    .groupBy('lane')
    .select(({ fn }) => ['lane', fn.countAll<number>().as('waiting'), fn.min<number>('due_at').as('oldest')])
    .execute()
}

/** Claims a job if it is still due. If two workers try to claim a job, one of them gets it. */
export async function claimJob(tx: Transaction, claim: Claim): Promise<ClaimedJob | undefined> {
  const [row] = await claimDueJob(tx, claim)
  if (!row) return undefined
  return { ...row, payload: JSON.parse(row.payload), errors: JSON.parse(row.errors), lease: claim.lease }
}

type Claim = { id: string; lease: string; now: number; until: number }

const claimDueJob = compiled((db, p: Params<Claim>) =>
  db
    .updateTable('jobs')
    .set({
      state: 'doing',
      lease: p('lease'),
      due_at: p('until'),
      attempts: sql`attempts + 1`,
      updated_at: p('now'),
    })
    .where('id', '=', p('id'))
    .where('due_at', '<=', p('now'))
    .returning(['id', 'kind', 'lane', 'turn_key', 'payload', 'attempts', 'errors']),
)

/**
 * Extends the lease of a job and stores its progress.
 * @returns false if the worker has lost the lease. Nothing is written then. This holds for the functions below too.
 */
export async function extendLease(
  tx: Transaction,
  { id, lease }: ClaimedJob,
  change: Progress,
): Promise<boolean> {
  return (await updateProgress(tx, { id, lease, ...change })) === 1
}

type LeaseParams = { id: string; lease: string; now: number }
type Progress = { now: number; until: number; percent: number; text: string | null }

const updateProgress = compiled((db, p: Params<LeaseParams & Progress>) =>
  db
    .updateTable('jobs')
    .set({ due_at: p('until'), percent: p('percent'), progress_text: p('text'), updated_at: p('now') })
    .where('id', '=', p('id'))
    .where('lease', '=', p('lease')),
)

export async function finishJob(tx: Transaction, { id, lease }: ClaimedJob, now: number): Promise<boolean> {
  return (await updateDone(tx, { id, lease, now })) === 1
}

const updateDone = compiled((db, p: Params<LeaseParams>) =>
  db
    .updateTable('jobs')
    .set({ ...ended, state: 'done', percent: 100, updated_at: p('now'), done_at: p('now') })
    .where('id', '=', p('id'))
    .where('lease', '=', p('lease')),
)

/** @param retryAt the time of the next attempt. Null if there is none. */
export async function failJob(
  tx: Transaction,
  { id, lease, errors }: ClaimedJob,
  error: JobError,
  retryAt: number | null,
): Promise<boolean> {
  const failed = tx
    .updateTable('jobs')
    .set({ errors: JSON.stringify([...errors, error].slice(-maxErrors)), lease: null, due_at: retryAt })
    .set(retryAt === null ? { state: 'error', done_at: error.at } : { state: 'blocked' })
    .set({ updated_at: error.at })
    .where('id', '=', id)
    .where('lease', '=', lease)
  return (await failed.executeTakeFirst()).numUpdatedRows === 1n
}

/** Returns an unfinished job to the queue. The attempt does not count. */
export async function releaseJob(tx: Transaction, { id, lease }: ClaimedJob, now: number): Promise<boolean> {
  const released = tx
    .updateTable('jobs')
    .set({ state: 'blocked', lease: null, due_at: now, attempts: sql`attempts - 1`, updated_at: now })
    .where('id', '=', id)
    .where('lease', '=', lease)
  return (await released.executeTakeFirst()).numUpdatedRows === 1n
}

/** Cancels a job. Returns false if the job has ended. */
export async function cancelJob(tx: Transaction, id: string, now: number): Promise<boolean> {
  const canceled = tx
    .updateTable('jobs')
    .set({ ...ended, state: 'canceled', updated_at: now, done_at: now })
    .where('id', '=', id)
    .where('due_at', 'is not', null)
  return (await canceled.executeTakeFirst()).numUpdatedRows === 1n
}

/** Deletes the jobs that ended before a time (in milliseconds since 1970), in batches. */
export async function deleteFinishedJobs(db: Database, before: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const old = db.read.selectFrom('jobs').select('id').where('done_at', '<', before).limit(deleteBatchSize)
    const ids = (await old.execute()).map(({ id }) => id)
    if (ids.length === 0) return
    await db.transaction((tx) => tx.deleteFrom('jobs').where('id', 'in', ids).execute())
  }
}
