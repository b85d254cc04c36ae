import type { Context } from '../../context.ts'
import type { JobKind, JobPayloads } from './kinds.ts'

/** One attempt to run a job. */
export interface JobRun {
  readonly id: string
  /** The number of the attempt, from 1. An attempt that ended with its process counts. */
  readonly attempt: number
  /** Aborts when the process stops, the job is canceled, or another worker has claimed it. */
  readonly signal: AbortSignal
  /**
   * Reports the progress, which is stored about once a second.
   * @param percent from 0 to 100
   */
  report(percent: number, text?: string): void
}

/**
 * The handler of one kind of job. A job runs at least once: a process may end after the work and before the outcome is
 * stored. A handler must therefore be idempotent.
 */
export interface Job<Kind extends JobKind = JobKind> {
  readonly kind: Kind
  /** Number of attempts. Default: 5. A `Failure` with a status below 500 is final and is not retried. */
  readonly maxAttempts?: number
  /** Milliseconds from the start of a run to the next one, for a recurring job. */
  readonly every?: number
  handle(ctx: Context, payload: JobPayloads[Kind], run: JobRun): Promise<void>
}

/** Declares the handler of a kind of job. */
export function job<const Kind extends JobKind>(description: Job<Kind>): Job<Kind> {
  return description
}
