import { Worker } from 'node:worker_threads'
import { Failure } from '../../../errors.ts'
import type { Statement, StatementResult } from '../connection.ts'

/** A scan for the thread. */
export interface ScanRequest {
  readonly id: number
  readonly statement: Statement
  readonly values: readonly unknown[]
}

/** The answer to a scan. An error has the codes that `sqlite-errors.ts` reads. */
export type ScanAnswer = { readonly id: number } & (
  | { readonly result: StatementResult }
  | { readonly error: { readonly message: string; readonly code?: unknown; readonly errcode?: unknown } }
)

/** Runs scans one after another in a thread. */
export interface SqliteScans {
  /** @throws errors of SQLite, with their codes; DATABASE_UNAVAILABLE if the thread ended */
  run(statement: Statement, values: readonly unknown[]): Promise<StatementResult>
  /** The number of scans that have not been answered. */
  pending(): number
  /** Whether the thread runs. */
  isOpen(): boolean
  close(): Promise<void>
}

/** The thread starts with the first scan. After it ended by itself, the next scan starts another one. */
export function sqliteScans(path: string): SqliteScans {
  let worker: Worker | undefined
  let isClosed = false
  let lastId = 0
  const pending = new Map<number, PromiseWithResolvers<StatementResult>>()

  function start(): Worker {
    const started = new Worker(new URL('./sqlite-scan.worker.ts', import.meta.url), {
      workerData: { path },
      env: {},
    })
    let cause: unknown
    started.on('message', finish)
    started.on('error', (error) => {
      cause = error
    })
    started.on('exit', () => {
      worker = undefined
      const error = new Failure('DATABASE_UNAVAILABLE', {
        cause: cause ?? new Error('The thread of scans ended'),
      })
      for (const { reject } of pending.values()) reject(error)
      pending.clear()
    })
    return started
  }

  function finish({ id, ...answer }: ScanAnswer): void {
    const scan = pending.get(id)
    pending.delete(id)
    // A thread without work does not keep the process alive.
    if (pending.size === 0) worker?.unref()
    if ('result' in answer) scan?.resolve(answer.result)
    else scan?.reject(Object.assign(new Error(answer.error.message), answer.error))
  }

  return {
    run(statement, values) {
      if (isClosed)
        return Promise.reject(
          new Failure('DATABASE_UNAVAILABLE', { cause: new Error('The database is closed') }),
        )
      worker ??= start()
      const scan = Promise.withResolvers<StatementResult>()
      const id = ++lastId
      worker.postMessage({ id, statement, values } satisfies ScanRequest)
      pending.set(id, scan)
      worker.ref()
      return scan.promise
    },
    pending: () => pending.size,
    isOpen: () => worker !== undefined,
    async close() {
      isClosed = true
      await worker?.terminate()
    },
  }
}
