import { AsyncLocalStorage } from 'node:async_hooks'

/** The state of one run of a transaction's callback. A retry is a new run. */
export interface TransactionRun {
  open: boolean
  /** The error of the first statement that failed. The transaction is then rolled back. */
  failure: { readonly error: unknown } | undefined
  /** Whether a statement was sent that can write (PostgreSQL only). */
  hasWritten?: boolean
  /** The answer to the last statement (PostgreSQL only). */
  pending?: Promise<unknown>
  /** Writes that the end of the transaction waits for; see `deferredWrite`. */
  deferredWrites?: Promise<unknown>[]
  /** Callbacks that run after the COMMIT; see `afterCommit`. */
  afterCommit?: (() => void)[]
  /** The run before this one, if its answers were still pending. A failure of that run undoes this one too. */
  readonly before?: TransactionRun | undefined
}

export interface TransactionScope {
  /** Throws if the caller runs, directly or indirectly, inside the callback of an open transaction. */
  refuseInside(what: string): void
  /** Runs `work` as the inside of a transaction. */
  enter<T>(transactionRun: TransactionRun, work: () => Promise<T>): Promise<T>
}

/**
 * Detects, for one database, whether code runs inside of a transaction. Without it, a transaction inside of another one would
 * wait for itself forever, and a read beside `tx` would miss what the transaction wrote.
 */
export function transactionScope(): TransactionScope {
  const storage = new AsyncLocalStorage<TransactionRun>()
  return {
    refuseInside(what) {
      if (storage.getStore()?.open)
        throw new Error(`${what} inside of a transaction: its callback awaits only its tx`)
    },
    enter: (transactionRun, work) => storage.run(transactionRun, work),
  }
}

/** Throws if the callback of the transaction has ended or one of its statements has failed. */
export function refuseEnded(transactionRun: TransactionRun): void {
  const failure = transactionRun.failure ?? transactionRun.before?.failure
  if (failure) throw failure.error
  if (!transactionRun.open)
    throw new Error('The transaction has ended; a statement of its callback was not awaited')
}

/** Waits for the deferred writes of a transaction. The first error among them becomes the failure of the transaction. */
export async function awaitRest(transactionRun: TransactionRun): Promise<void> {
  await transactionRun.pending?.catch(() => {})
  for (const write of transactionRun.deferredWrites ?? []) {
    try {
      await write
    } catch (error) {
      transactionRun.failure ??= { error }
    }
  }
}

/** Runs the callbacks that a committed transaction registered with `afterCommit`. */
export function runAfterCommit(transactionRun: TransactionRun, logError: (error: unknown) => void): void {
  for (const callback of transactionRun.afterCommit ?? []) {
    try {
      callback()
    } catch (error) {
      logError(error)
    }
  }
}
