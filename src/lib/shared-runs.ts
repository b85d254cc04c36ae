import type { GrowingFile } from './growing-file.ts'

/** A request or a job that waits for the result of a run. */
export interface Waiter {
  /** The account, or the network of an anonymous client. */
  readonly caller: string
  /** Aborted when the result is no longer needed. */
  readonly signal?: AbortSignal | undefined
  /** Receives the progress in percent. */
  readonly report?: ((percent: number) => void) | undefined
  /** Receives the result while the run makes it, if the run publishes it, also if it has done so before. */
  readonly onFile?: ((file: GrowingFile) => void) | undefined
  /** Whether the result may take any time, because no client waits for it. */
  readonly isPatient?: boolean | undefined
}

/** All waiters of one run. */
export interface Waiters {
  /** The callers of the present waiters. Each iteration reads them again. */
  readonly callers: Iterable<string>
  /** Aborted when no waiter is left. */
  readonly signal?: AbortSignal | undefined
  readonly report?: ((percent: number) => void) | undefined
  /** Lets the waiters read the result while it is made. */
  readonly publish?: ((file: GrowingFile) => void) | undefined
  /** Returns whether one of the callers is patient at that time. */
  readonly isPatient?: (() => boolean) | undefined
}

/**
 * Runs work once for all waiters with the same key at the same time. A key always stands for the same type of result.
 * @returns the result of the run. Rejects with the reason of the waiter's signal when that is aborted. The run goes on while
 * another waiter is left.
 */
export type SharedRuns = <Result>(
  key: string,
  waiter: Waiter,
  start: (waiters: Waiters) => Promise<Result>,
) => Promise<Result>

interface Run {
  readonly waiting: Set<Waiter>
  readonly abort: AbortController
  /** The result while it is made, when the run has published it. */
  file: GrowingFile | undefined
  readonly result: Promise<unknown>
}

/** Creates shared runs within this process. */
export function sharedRuns(): SharedRuns {
  const runs = new Map<string, Run>()

  function begin(key: string, start: (waiters: Waiters) => Promise<unknown>): Run {
    const waiting = new Set<Waiter>()
    const abort = new AbortController()
    const waiters: Waiters = {
      callers: {
        *[Symbol.iterator]() {
          for (const { caller } of waiting) yield caller
        },
      },
      signal: abort.signal,
      report(percent) {
        for (const { report } of waiting) report?.(percent)
      },
      publish(file) {
        run.file = file
        for (const { onFile } of waiting) onFile?.(file)
      },
      isPatient: () => [...waiting].some(({ isPatient }) => isPatient),
    }
    // The work starts after its first waiter has been added.
    const result = Promise.resolve()
      .then(() => start(waiters))
      .finally(() => forget(key, run))
    const run: Run = { waiting, abort, file: undefined, result }
    // The run may fail when no waiter is left. The error must not count as unhandled then.
    result.catch(() => {})
    runs.set(key, run)
    return run
  }

  function forget(key: string, run: Run): void {
    if (runs.get(key) === run) runs.delete(key)
  }

  return async <Result>(key: string, waiter: Waiter, start: (waiters: Waiters) => Promise<Result>) => {
    const { signal } = waiter
    signal?.throwIfAborted()
    const run = runs.get(key) ?? begin(key, start)
    const entry = { ...waiter }
    run.waiting.add(entry)
    if (run.file) entry.onFile?.(run.file)
    const left = Promise.withResolvers<never>()
    const leave = () => left.reject(signal?.reason)
    signal?.addEventListener('abort', leave, { once: true })
    try {
      return (await Promise.race([run.result, left.promise])) as Result
    } finally {
      signal?.removeEventListener('abort', leave)
      run.waiting.delete(entry)
      if (run.waiting.size === 0) {
        // A later request must not join a run that is being aborted.
        forget(key, run)
        run.abort.abort(signal?.reason)
      }
    }
  }
}
