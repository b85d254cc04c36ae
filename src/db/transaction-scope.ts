import { AsyncLocalStorage } from 'node:async_hooks'

/** What is known of one run of a transaction's callback. */
export interface Turn {
  open: boolean
  /** The first statement that failed: after it nothing of the transaction is kept. */
  failure: { readonly error: unknown } | undefined
  /** The answer to the statement that was sent last, where answers are waited for. */
  pending?: Promise<unknown>
  /** What the callback did not wait for; the end of the transaction does. */
  unawaited?: Promise<unknown>[]
  /** The turn before, which was over but not answered when this one began: what undoes it, undoes this one too. */
  readonly before?: Turn | undefined
}

export interface TransactionScope {
  /** Throws where the code that calls it was called, however indirectly, by a transaction's callback that still runs. */
  refuseInside(what: string): void
  /** Runs `work` as the inside of a transaction. */
  enter<T>(turn: Turn, work: () => Promise<T>): Promise<T>
}

/**
 * Tells the inside of a transaction from its outside, for one database. Without it, a transaction inside of another
 * would wait for itself for ever, and a read beside `tx` would miss what the transaction wrote.
 */
export function transactionScope(): TransactionScope {
  const storage = new AsyncLocalStorage<Turn>()
  return {
    refuseInside(what) {
      if (storage.getStore()?.open) throw new Error(`${what} inside of a transaction: its callback awaits only its tx`)
    },
    enter: (turn, work) => storage.run(turn, work),
  }
}

/** Throws where a statement must not run any more: the callback has ended, or a statement before this one failed. */
export function refuseEnded(turn: Turn): void {
  const failure = turn.failure ?? turn.before?.failure
  if (failure) throw failure.error
  if (!turn.open) throw new Error('The transaction has ended; a statement of its callback was not awaited')
}

/** Waits for what the callback did not wait for; what of it fails, fails the transaction. */
export async function awaitRest(turn: Turn): Promise<void> {
  await turn.pending?.catch(() => {})
  for (const write of turn.unawaited ?? []) {
    try {
      await write
    } catch (error) {
      turn.failure ??= { error }
    }
  }
}
