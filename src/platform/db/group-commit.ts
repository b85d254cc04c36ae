import { Failure } from '../../errors.ts'
import type { DatabaseEvents, Durability } from './database.ts'
import { runAfterCommit, type TransactionRun, type TransactionScope } from './transaction-scope.ts'

/** The limits at which a group accepts no further transaction. */
export interface GroupLimits {
  /** The maximum number of transactions in a group. */
  readonly transactions: number
  /** The maximum age of a group that still accepts transactions, in milliseconds. */
  readonly age: number
  /**
   * The time in milliseconds after which the next group starts beside a running one, on another connection.
   * If undefined, groups never overlap.
   */
  readonly overtakeAfter?: number
}

/** A transaction that waits to run in a group. */
export interface WaitingTransaction<Target> {
  /** Whether the transaction must be the only one of its group. */
  readonly alone: boolean
  /** Whether the COMMIT of its group must be synced to disk. */
  readonly durable: boolean
  /** When the transaction was enqueued, by `performance.now()`. */
  readonly since: number
  /** Runs the callback of the transaction in the caller's asynchronous context. Called once. */
  run(transactionRun: TransactionRun, target: Target): Promise<unknown>
  /** Runs the `afterCommit` callbacks of the transaction. Called once, after the COMMIT and before `resolve`. */
  afterCommit(): void
  resolve(value: unknown): void
  reject(error: unknown): void
}

/**
 * The result of a transaction. `isFinal` marks an error that stays the same whatever the COMMIT of the group
 * does.
 */
export type Outcome = { readonly value: unknown } | { readonly error: unknown; readonly isFinal?: boolean }

/**
 * A transaction of a group that has sent its last statement. The next one can start before the answers
 * arrive.
 */
export interface SentTransaction {
  readonly outcome: Outcome | Promise<Outcome>
}

/** One outer transaction that the transactions of a group run in. */
export interface OpenGroup<Target> {
  /** Runs one transaction. If it fails, only this one is rolled back. */
  run(one: WaitingTransaction<Target>): Promise<SentTransaction>
  /**
   * Whether the group accepts no further transaction. Not a getter: V8 would give each group its own hidden
   * class, and keep the objects of the group in memory for long.
   */
  isOver(): boolean
  /**
   * Commits the group. If the group was rolled back, resolves to the error that its callers get instead of
   * their outcomes.
   */
  commit(): Promise<{ readonly error: unknown } | undefined>
}

export interface GroupCommit<Target> {
  /** @param since when the transaction was first enqueued, if it is to run before those that were enqueued later */
  transaction<T>(work: (target: Target) => Promise<T>, durability?: Durability, since?: number): Promise<T>
  /** Runs a transaction in a group of its own. */
  alone<T>(work: (target: Target) => Promise<T>, durability?: Durability): Promise<T>
  /** The number of waiting transactions, and of groups that run. */
  stats(): { readonly waiting: number; readonly running: number }
  /** Resolves when every transaction is answered. New transactions are refused. */
  close(): Promise<void>
}

/**
 * Runs waiting transactions one after another in one outer transaction, and answers
 * every caller after the one COMMIT that syncs them all to disk. The sync is the main cost of a durable
 * write, so fifty callers that share one are served nearly fifty times as fast. Transactions of one group
 * cannot conflict with each other.
 *
 * A group that starts with a non-durable transaction accepts only non-durable ones, and is not synced.
 *
 * Failed transactions are also answered after the COMMIT: the failure may be caused by rows of an earlier
 * transaction in the group, which are not committed before.
 *
 * @param begin opens a group for the waiting transactions. If it cannot open one for some of them, it rejects
 *   these and
 *   removes them from the array. Resolves to undefined if no transaction is left.
 */
export function groupCommit<Target>(
  scope: TransactionScope,
  limits: GroupLimits,
  { logError, onGroup }: DatabaseEvents,
  begin: (waiting: WaitingTransaction<Target>[]) => Promise<OpenGroup<Target> | undefined>,
): GroupCommit<Target> {
  const waiting: WaitingTransaction<Target>[] = []
  /** The loop that takes the next waiting transaction. Any other loop ends with its current group. */
  let next: symbol | undefined
  let running = 0
  let closing: PromiseWithResolvers<void> | undefined

  async function enqueue<T>(
    work: (target: Target) => Promise<T>,
    { alone, durable = true, since }: Durability & { alone: boolean; since?: number | undefined },
  ): Promise<T> {
    scope.refuseInside('A transaction')
    if (closing) throw new Failure('DATABASE_UNAVAILABLE', { cause: new Error('The database is closed') })
    // The promise chain is created here, so that `work` runs in the asynchronous context of its caller.
    // Otherwise it would run in the context of the first caller of the group.
    const called = Promise.withResolvers<{ transactionRun: TransactionRun; target: Target }>()
    const result = called.promise.then(({ transactionRun, target }) =>
      scope.enter(transactionRun, () => work(target)),
    )
    let currentRun: TransactionRun | undefined
    const run = (transactionRun: TransactionRun, target: Target) => {
      currentRun = transactionRun
      called.resolve({ transactionRun, target })
      return result
    }
    const afterCommit = () => {
      if (currentRun) runAfterCommit(currentRun, logError)
    }
    return new Promise<unknown>((resolve, reject) => {
      const later = since === undefined ? -1 : waiting.findIndex((other) => other.since > since)
      const place = later < 0 ? waiting.length : later
      const one = { alone, durable, since: since ?? performance.now(), run, afterCommit, resolve, reject }
      waiting.splice(place, 0, one)
      if (!next) runGroups()
    }) as Promise<T>
  }

  function runGroups(): void {
    const loop = Symbol()
    next = loop
    running++
    setImmediate(runNext, loop)
  }

  async function runNext(loop: symbol): Promise<void> {
    const group = await begin(waiting)
    if (group) await runGroup(group, loop)
    if (next === loop && waiting.length > 0) {
      setImmediate(runNext, loop)
      return
    }
    if (next === loop) next = undefined
    running--
    if (running === 0) closing?.resolve()
  }

  async function runGroup(open: OpenGroup<Target>, loop: symbol): Promise<void> {
    const overtaking =
      limits.overtakeAfter === undefined ? undefined : setTimeout(overtake, limits.overtakeAfter, loop)
    const startedAt = performance.now()
    const group: WaitingTransaction<Target>[] = []
    const pendingOutcomes: SentTransaction['outcome'][] = []
    // An overtaken group accepts no further transaction: it was opened for the transaction that was first at
    // that time.
    while (
      next === loop &&
      !open.isOver() &&
      waiting[0] &&
      (group.length === 0 || mayJoin(waiting[0], group, startedAt))
    ) {
      const one = waiting.shift() as WaitingTransaction<Target>
      group.push(one)
      pendingOutcomes.push((await open.run(one)).outcome)
    }
    clearTimeout(overtaking)
    const outcomes = await Promise.all(pendingOutcomes)
    const commitError = await open.commit()
    onGroup(group.length)
    for (const [index, one] of group.entries()) {
      const outcome = outcomes[index] as Outcome
      const failure = 'error' in outcome ? outcome : undefined
      const failed = failure?.isFinal ? failure : (commitError ?? failure)
      if (failed) {
        one.reject(failed.error)
      } else {
        one.afterCommit()
        one.resolve((outcome as { value: unknown }).value)
      }
    }
  }

  function mayJoin(
    one: WaitingTransaction<Target>,
    group: WaitingTransaction<Target>[],
    startedAt: number,
  ): boolean {
    if (one.alone || group[0]?.alone) return false
    if (one.durable && !group[0]?.durable) return false
    return group.length < limits.transactions && performance.now() - startedAt < limits.age
  }

  function overtake(slow: symbol): void {
    if (next !== slow) return
    next = undefined
    if (waiting.length > 0) runGroups()
  }

  return {
    transaction: (work, durability, since) => enqueue(work, { ...durability, alone: false, since }),
    alone: (work, durability) => enqueue(work, { ...durability, alone: true }),
    stats: () => ({ waiting: waiting.length, running }),
    close() {
      closing ??= Promise.withResolvers()
      if (running === 0) closing.resolve()
      return closing.promise
    },
  }
}
