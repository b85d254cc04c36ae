import { Failure } from '../errors.ts'
import type { Durability } from './database.ts'
import type { TransactionScope, Turn } from './transaction-scope.ts'

/** When a group takes no further transaction. */
export interface GroupLimits {
  /** It has this many. */
  readonly transactions: number
  /** It is this old, in milliseconds. */
  readonly age: number
  /** After so many milliseconds the next group begins beside it, on another connection; never where it is undefined. */
  readonly patience?: number
}

/** What waits for its turn in a group. */
export interface Waiting<Target> {
  /** In a group of its own. */
  readonly alone: boolean
  /** Whether its group is to be synced to disk. */
  readonly durable: boolean
  /** By `performance.now()`. */
  readonly since: number
  /** Runs its work, in the caller's asynchronous context. Called once. */
  run(turn: Turn, target: Target): Promise<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** `isFinal` where it holds whatever becomes of the group. */
export type Outcome = { readonly value: unknown } | { readonly error: unknown; readonly isFinal?: boolean }

/** A transaction of a group that has sent all that it does: the next one can begin, though it may not be answered yet. */
export interface Sent {
  readonly outcome: Outcome | Promise<Outcome>
}

/** One outer transaction, in which those of a group run. */
export interface OpenGroup<Target> {
  /** Runs one more, and undoes it alone where it fails. */
  run(one: Waiting<Target>): Promise<Sent>
  /** Whether it can take no more. Not a getter: V8 would give each group a shape of its own, and keep all that it has for long. */
  isOver(): boolean
  /** Resolves to what its callers are told instead of their outcomes, where nothing of it is kept. */
  commit(): Promise<{ readonly error: unknown } | undefined>
}

export interface GroupCommit<Target> {
  transaction<T>(work: (target: Target) => Promise<T>, durability?: Durability): Promise<T>
  /** A transaction that is a group of its own. */
  alone<T>(work: (target: Target) => Promise<T>, durability?: Durability): Promise<T>
  /** Resolves when every transaction was answered; none is taken afterwards. */
  close(): Promise<void>
}

/**
 * Runs the transactions that wait one after another, each in a savepoint of one outer transaction, and answers every
 * caller after the one COMMIT that syncs them all to disk. A sync is what a durable write costs, so fifty callers that
 * share one are served nearly fifty times as fast; and none of them can get into another's way.
 *
 * A group that begins with one that need not be durable takes only others like it, and is not synced.
 *
 * Also those whose own work failed are answered after the COMMIT only: they may have failed on what a transaction of the
 * same group wrote, which until then has not happened.
 *
 * @param begin opens a group for those that wait. It answers those itself, and takes them out, for whom it cannot;
 * undefined when nobody waits any more.
 */
export function groupCommit<Target>(
  scope: TransactionScope,
  limits: GroupLimits,
  begin: (waiting: Waiting<Target>[]) => Promise<OpenGroup<Target> | undefined>,
): GroupCommit<Target> {
  const waiting: Waiting<Target>[] = []
  /** Which of those that run groups takes the next one; the others end with the group that they have. */
  let next: symbol | undefined
  let running = 0
  let closing: PromiseWithResolvers<void> | undefined

  async function enqueue<T>(
    work: (target: Target) => Promise<T>,
    { alone, durable = true }: Durability & { alone: boolean },
  ): Promise<T> {
    scope.refuseInside('A transaction')
    if (closing) throw new Failure('DATABASE_UNAVAILABLE', { cause: new Error('The database is closed') })
    // What is registered here runs with the asynchronous context of here, and not with that of the group's first caller.
    const called = Promise.withResolvers<{ turn: Turn; target: Target }>()
    const done = called.promise.then(({ turn, target }) => scope.enter(turn, () => work(target)))
    const run = (turn: Turn, target: Target) => {
      called.resolve({ turn, target })
      return done
    }
    return new Promise<unknown>((resolve, reject) => {
      waiting.push({ alone, durable, since: performance.now(), run, resolve, reject })
      if (!next) runGroups()
    }) as Promise<T>
  }

  function runGroups(): void {
    const me = Symbol()
    next = me
    running++
    setImmediate(runNext, me)
  }

  async function runNext(me: symbol): Promise<void> {
    const group = await begin(waiting)
    if (group) await runGroup(group, me)
    if (next === me && waiting.length > 0) {
      setImmediate(runNext, me)
      return
    }
    if (next === me) next = undefined
    running--
    if (running === 0) closing?.resolve()
  }

  async function runGroup(open: OpenGroup<Target>, me: symbol): Promise<void> {
    const overtaking = limits.patience === undefined ? undefined : setTimeout(overtake, limits.patience, me)
    const startedAt = performance.now()
    const group: Waiting<Target>[] = []
    const sent: Sent['outcome'][] = []
    // Who was overtaken takes nothing more: the group was opened for what was first then.
    while (
      next === me &&
      !open.isOver() &&
      waiting[0] &&
      (group.length === 0 || mayJoin(waiting[0], group, startedAt))
    ) {
      const one = waiting.shift() as Waiting<Target>
      group.push(one)
      sent.push((await open.run(one)).outcome)
    }
    clearTimeout(overtaking)
    const outcomes = await Promise.all(sent)
    const lost = await open.commit()
    for (const [index, one] of group.entries()) {
      const outcome = outcomes[index] as Outcome
      const failure = 'error' in outcome ? outcome : undefined
      const told = failure?.isFinal ? failure : (lost ?? failure)
      if (told) one.reject(told.error)
      else one.resolve((outcome as { value: unknown }).value)
    }
  }

  function mayJoin(one: Waiting<Target>, group: Waiting<Target>[], startedAt: number): boolean {
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
    transaction: (work, durability) => enqueue(work, { ...durability, alone: false }),
    alone: (work, durability) => enqueue(work, { ...durability, alone: true }),
    close() {
      closing ??= Promise.withResolvers()
      if (running === 0) closing.resolve()
      return closing.promise
    },
  }
}
