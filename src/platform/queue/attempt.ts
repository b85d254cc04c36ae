import type { Logger } from 'pino'
import type { Database, Transaction } from '../db/database.ts'
import { catalogue, Failure } from '../../errors.ts'
import type { Clock } from '../../lib/clock.ts'
import type { NewId } from '../../lib/ids.ts'
import { backoffMilliseconds } from './backoff.ts'
import type { Job, JobRun } from './job.ts'
import type { JobQueue } from './queue.ts'
import { type ClaimedJob, failJob, finishJob, type JobError, releaseJob } from './store.ts'

/** The part of a handler's context that the queue needs. */
export interface QueueContext {
  readonly db: Database
  readonly jobs: Pick<JobQueue<Record<string, object>>, 'enqueue' | 'onEnqueue'>
  readonly clock: Clock
  readonly newId: NewId
  readonly log: Logger
}

/** A handler of any kind of job. */
export type Handler<Ctx> = Pick<Job, 'maxAttempts' | 'every'> & {
  handle(ctx: Ctx, payload: never, run: JobRun): Promise<void>
}

/** Reasons for which the signal of a run is aborted. */
export const processStops = new Error('The process stops')
export const leaseLost = new Error('The job was canceled, or another worker has claimed it')

const defaultAttempts = 5

/** Runs a claimed job once and stores the outcome. Rejects only if the outcome cannot be stored. */
export async function attemptJob<Ctx extends QueueContext>(
  ctx: Ctx,
  handler: Handler<Ctx>,
  job: ClaimedJob,
  run: Pick<JobRun, 'signal' | 'report'>,
): Promise<void> {
  const { db, clock, log } = ctx
  const { id, kind, attempts } = job
  const startedAt = clock.now()
  const maxAttempts = handler.maxAttempts ?? defaultAttempts
  // A job can exceed its attempts only if its process ended during each of them.
  const outcome =
    attempts > maxAttempts
      ? new Failure('INTERNAL_ERROR', { message: 'The process ended too often while it ran this job.' })
      : await resultOf(() => handler.handle(ctx, job.payload as never, { id, attempt: attempts, ...run }))

  if (outcome === 'done') {
    await db.transaction(async (tx) => {
      if (await finishJob(tx, job, clock.now()))
        await enqueueNext(tx, ctx, { kind, handler, from: startedAt })
    })
    return
  }
  if (run.signal.reason === processStops) {
    await db.transaction((tx) => releaseJob(tx, job, clock.now()))
    return
  }
  if (run.signal.reason === leaseLost) return
  const isClientError = outcome instanceof Failure && outcome.status < 500
  const isFinal = isClientError || attempts >= maxAttempts
  log[isClientError ? 'info' : 'error']({ err: outcome, job: id, kind, attempt: attempts }, 'a job failed')
  const at = clock.now()
  const retryAt = isFinal ? null : at + backoffMilliseconds(attempts, Math.random())
  await db.transaction(async (tx) => {
    const failed = await failJob(tx, job, jobErrorOf(outcome, at), retryAt)
    if (failed && isFinal) await enqueueNext(tx, ctx, { kind, handler, from: startedAt })
  })
}

/**
 * Enqueues the next run of a recurring job, unless it is enqueued already. Does nothing for other jobs.
 * @param job.from the start of the current run, in milliseconds since 1970. The interval counts from here, so that a long
 * run does not delay the next one.
 */
export async function enqueueNext<Ctx>(
  tx: Transaction,
  { jobs }: Pick<QueueContext, 'jobs'>,
  job: { kind: string; handler: Handler<Ctx>; from: number },
): Promise<void> {
  const { kind, handler, from } = job
  if (handler.every === undefined) return
  await jobs.enqueue(tx, { kind, payload: {}, key: 'every', runAt: from + handler.every })
}

async function resultOf(work: () => Promise<void>): Promise<'done' | Error> {
  try {
    await work()
    return 'done'
  } catch (error) {
    return error instanceof Error
      ? error
      : new Error('The handler threw a value that is not an Error', { cause: error })
  }
}

/** The error as users may see it, without the details that belong only in the log. */
function jobErrorOf(error: Error, at: number): JobError {
  return error instanceof Failure
    ? { at, code: error.code, message: error.message }
    : { at, code: 'INTERNAL_ERROR', message: catalogue.INTERNAL_ERROR.message }
}
