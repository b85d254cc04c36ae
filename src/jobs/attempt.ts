import type { Logger } from 'pino'
import type { Database, Transaction } from '../db/database.ts'
import { catalogue, Failure } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import type { NewId } from '../lib/ids.ts'
import { backoffMilliseconds } from './backoff.ts'
import type { Job, JobRun } from './job.ts'
import type { Jobs } from './jobs.ts'
import { type ClaimedJob, failJob, finishJob, insertJob, type JobError, releaseJob } from './store.ts'

/** What the queue itself needs of the context of a handler. */
export interface QueueContext {
  readonly db: Database
  readonly jobs: Pick<Jobs, 'onWork'>
  readonly clock: Clock
  readonly newId: NewId
  readonly log: Logger
}

/** A handler, whatever its kind. */
export type Handler<Ctx> = Pick<Job, 'maxAttempts' | 'every'> & {
  handle(ctx: Ctx, payload: never, run: JobRun): Promise<void>
}

/** Why the signal of a run was aborted. */
export const processStops = new Error('The process stops')
export const leaseLost = new Error('The job was canceled or taken over')

const defaultAttempts = 5

/** Runs a claimed job once and writes down how it ended. Rejects only when that cannot be written. */
export async function attemptJob<Ctx extends QueueContext>(
  ctx: Ctx,
  handler: Handler<Ctx>,
  claimed: ClaimedJob,
  run: Pick<JobRun, 'signal' | 'report'>,
): Promise<void> {
  const { db, clock, log } = ctx
  const { id, kind, attempts } = claimed
  const begunAt = clock.now()
  const maxAttempts = handler.maxAttempts ?? defaultAttempts
  // Only a worker that died leaves a job with all its tries used up.
  const outcome =
    attempts > maxAttempts
      ? new Failure('INTERNAL_ERROR', { message: 'The process that did this work ended too often.' })
      : await resultOf(() => handler.handle(ctx, claimed.payload as never, { id, attempt: attempts, ...run }))

  if (outcome === 'done') {
    await db.transaction(async (tx) => {
      if (await finishJob(tx, claimed, clock.now())) await enqueueNext(tx, ctx, { kind, handler, from: begunAt })
    })
    return
  }
  if (run.signal.reason === processStops) {
    await db.transaction((tx) => releaseJob(tx, claimed, clock.now()))
    return
  }
  if (run.signal.reason === leaseLost) return
  const isCallers = outcome instanceof Failure && outcome.status < 500
  const isFinal = isCallers || attempts >= maxAttempts
  log[isCallers ? 'info' : 'error']({ err: outcome, job: id, kind, attempt: attempts }, 'a job failed')
  const at = clock.now()
  const retryAt = isFinal ? null : at + backoffMilliseconds(attempts, Math.random())
  await db.transaction(async (tx) => {
    const failed = await failJob(tx, claimed, jobErrorOf(outcome, at), retryAt)
    if (failed && isFinal) await enqueueNext(tx, ctx, { kind, handler, from: begunAt })
  })
}

/** Asks for the next run of a job that recurs; none is asked for twice. Its pace is kept from when one begins: runs that take long, or see an older time, put off none. */
export async function enqueueNext<Ctx>(
  tx: Transaction,
  { clock, newId }: Pick<QueueContext, 'clock' | 'newId'>,
  { kind, handler, from }: { kind: string; handler: Handler<Ctx>; from: number },
): Promise<void> {
  if (handler.every === undefined) return
  const dueAt = from + handler.every
  await insertJob(tx, { id: newId(), kind, key: 'every', payload: '{}', now: clock.now(), dueAt })
}

async function resultOf(work: () => Promise<void>): Promise<'done' | Error> {
  try {
    await work()
    return 'done'
  } catch (error) {
    return error instanceof Error ? error : new Error('Something was thrown that is no error', { cause: error })
  }
}

/** What went wrong, without what is for the log only. */
function jobErrorOf(error: Error, at: number): JobError {
  return error instanceof Failure
    ? { at, code: error.code, message: error.message }
    : { at, code: 'INTERNAL_ERROR', message: catalogue.INTERNAL_ERROR.message }
}
