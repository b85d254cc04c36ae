import type { Context } from '../operation.ts'
import type { JobKind, JobPayloads } from './kinds.ts'

/** One try at a job, as its handler sees it. */
export interface JobRun {
  readonly id: string
  /** 1 at the first try. A try that ended with its process counts. */
  readonly attempt: number
  /** Aborts when the process stops, the job is canceled, or another worker has taken it over. */
  readonly signal: AbortSignal
  /**
   * Says how far it is, for whoever waits; written about once a second.
   * @param percent from 0 to 100
   */
  report(percent: number, text?: string): void
}

/**
 * What is done for one kind of job. A job runs at least once: a process may die between the work and the note that it
 * is done, so a handler looks at what is there before it acts.
 */
export interface Job<Kind extends JobKind = JobKind> {
  readonly kind: Kind
  /** Tries before it is given up; 5 where nothing is said. An error under 500 of the catalogue is final at once. */
  readonly maxAttempts?: number
  /** Milliseconds from the end of a run to the next one, for work that has no other cause than time. */
  readonly every?: number
  handle(ctx: Context, payload: JobPayloads[Kind], run: JobRun): Promise<void>
}

/** Declares the handler of a kind of job. */
export function job<const Kind extends JobKind>(description: Job<Kind>): Job<Kind> {
  return description
}
