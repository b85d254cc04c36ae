import { setTimeout as delay } from 'node:timers/promises'
import { Failure } from '../../errors.ts'
import type { Statement, StatementResult } from '../connection.ts'
import { refuseEnded, type TransactionScope, type Turn } from '../transaction-scope.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { fromSqlite, isBusy } from './sqlite-errors.ts'

export interface GroupLimits {
  /** No further transaction joins a group that has this many. */
  readonly transactions: number
  /** No further transaction joins a group that is this old, in milliseconds, so that the event loop turns meanwhile. */
  readonly age: number
  /** How long, in milliseconds, the callbacks of one group may take before the one that is running is given up. */
  readonly work: number
  /** How long, in milliseconds, a transaction waits for the lock that another process holds. */
  readonly lock: number
}

export const groupLimits: GroupLimits = { transactions: 500, age: 10, work: 10_000, lock: 5_000 }

/** What the callback of a transaction runs its statements with. */
export interface TurnConnection {
  run(statement: Statement, values: readonly unknown[]): StatementResult
}

export interface GroupCommit {
  transaction<T>(work: (connection: TurnConnection) => Promise<T>): Promise<T>
  /** A transaction that is a group of its own, waits for the lock and works without a limit of time. */
  exclusive<T>(work: (connection: TurnConnection) => Promise<T>): Promise<T>
  /** Resolves when every transaction was answered; none is taken afterwards. */
  close(): Promise<void>
}

interface Waiting {
  readonly alone: boolean
  /** Runs its work, in the caller's asynchronous context. Called once. */
  readonly run: (turn: Turn) => Promise<unknown>
  /** When it gives up waiting for the lock, by `performance.now()`. */
  readonly until: number
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

type Outcome = { readonly value: unknown } | { readonly error: unknown }

/**
 * Runs the transactions that wait one after another, each in a savepoint of one outer transaction, and answers every
 * caller after the one COMMIT that syncs them all to disk. A sync is what a durable write costs, so fifty callers that
 * share one are served nearly fifty times as fast.
 *
 * Also those whose own work failed are answered after the COMMIT only: they may have failed on what a transaction of the
 * same group wrote, which until then has not happened.
 */
export function groupCommit(
  writer: SqliteConnection,
  scope: TransactionScope,
  limits: GroupLimits = groupLimits,
): GroupCommit {
  const waiting: Waiting[] = []
  let busy = false
  let closing: PromiseWithResolvers<void> | undefined

  function enqueue<T>(work: (connection: TurnConnection) => Promise<T>, alone: boolean): Promise<T> {
    scope.refuseInside('A transaction')
    if (closing) throw new Failure('DATABASE_UNAVAILABLE', { cause: new Error('The database is closed') })
    const until = alone ? Number.POSITIVE_INFINITY : performance.now() + limits.lock
    // What is registered here runs with the asynchronous context of here, and not with that of the group's first caller.
    const called = Promise.withResolvers<Turn>()
    const done = called.promise.then((turn) => scope.enter(turn, () => work(connectionFor(turn))))
    const run = (turn: Turn) => {
      called.resolve(turn)
      return done
    }
    return new Promise<T>((resolve, reject) => {
      waiting.push({ alone, until, run, resolve, reject })
      if (busy) return
      busy = true
      setImmediate(flush)
    })
  }

  async function flush(): Promise<void> {
    if (await begin()) await runGroup()
    if (waiting.length > 0) {
      setImmediate(flush)
      return
    }
    busy = false
    closing?.resolve()
  }

  /** Takes the write lock; tries again by a timer while another process has it. False when nobody waits any more. */
  async function begin(): Promise<boolean> {
    while (waiting.length > 0) {
      try {
        if (writer.isTransaction) writer.exec('ROLLBACK')
        writer.exec('BEGIN IMMEDIATE')
        return true
      } catch (error) {
        const now = performance.now()
        const hopeless = waiting.filter((one) => !isBusy(error) || one.until <= now)
        for (const one of hopeless) {
          waiting.splice(waiting.indexOf(one), 1)
          one.reject(fromSqlite(error))
        }
      }
      // Often, since the gaps between two groups of another process are short; by chance, so as not to beat in time with it.
      await delay(1 + Math.random() * 2)
    }
    return false
  }

  async function runGroup(): Promise<void> {
    const group: Waiting[] = []
    const outcomes: Outcome[] = []
    const expiry = expiringAfter(waiting[0]?.alone ? undefined : limits.work)
    const startedAt = performance.now()
    let lost: { readonly error: unknown } | undefined

    while (!lost && !expiry.isOver() && waiting[0] && (group.length === 0 || mayJoin(waiting[0], group, startedAt))) {
      const next = waiting.shift() as Waiting
      group.push(next)
      const outcome = await runTurn(next, expiry.promise)
      outcomes.push(outcome)
      if (!writer.isTransaction) lost = { error: 'error' in outcome ? outcome.error : undefined }
    }
    expiry.cancel()
    lost ??= await commit()

    for (const [index, one] of group.entries()) {
      const outcome = outcomes[index] as Outcome
      if (lost) one.reject(new Failure('DATABASE_UNAVAILABLE', { cause: lost.error }))
      else if ('error' in outcome) one.reject(outcome.error)
      else one.resolve(outcome.value as never)
    }
  }

  function mayJoin(next: Waiting, group: Waiting[], startedAt: number): boolean {
    if (next.alone || group[0]?.alone) return false
    return group.length < limits.transactions && performance.now() - startedAt < limits.age
  }

  async function runTurn(one: Waiting, expired: Promise<never>): Promise<Outcome> {
    const turn: Turn = { open: true, failure: undefined }
    let outcome: Outcome
    try {
      writer.exec('SAVEPOINT turn')
      const value = await Promise.race([one.run(turn), expired])
      outcome = turn.failure ?? { value }
    } catch (error) {
      outcome = { error }
    }
    turn.open = false
    if (!writer.isTransaction) return turn.failure ?? outcome
    try {
      if ('error' in outcome) writer.exec('ROLLBACK TO turn')
      writer.exec('RELEASE turn')
      return outcome
    } catch (error) {
      rollBack()
      return { error }
    }
  }

  function connectionFor(turn: Turn): TurnConnection {
    return {
      run(statement, values) {
        refuseEnded(turn)
        try {
          return writer.run(statement, values)
        } catch (error) {
          turn.failure = { error: fromSqlite(error) }
          throw turn.failure.error
        }
      },
    }
  }

  async function commit(): Promise<{ readonly error: unknown } | undefined> {
    const until = performance.now() + limits.lock
    for (;;) {
      try {
        writer.exec('COMMIT')
        return undefined
      } catch (error) {
        if (isBusy(error) && writer.isTransaction && performance.now() < until) {
          await delay(1)
          continue
        }
        rollBack()
        return { error }
      }
    }
  }

  function rollBack(): void {
    try {
      if (writer.isTransaction) writer.exec('ROLLBACK')
    } catch {
      // The next group begins with it.
    }
  }

  return {
    transaction: async (work) => enqueue(work, false),
    exclusive: async (work) => enqueue(work, true),
    close() {
      closing ??= Promise.withResolvers()
      if (!busy) closing.resolve()
      return closing.promise
    },
  }
}

interface Expiry {
  /** Rejects when the time is over. */
  readonly promise: Promise<never>
  isOver(): boolean
  cancel(): void
}

/** @param milliseconds without a limit where it is undefined */
function expiringAfter(milliseconds: number | undefined): Expiry {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => {})
  let over = false
  const expire = () => {
    over = true
    reject(new Error('The callback of a transaction took too long; it must await nothing but its tx'))
  }
  const timer = milliseconds === undefined ? undefined : setTimeout(expire, milliseconds)
  return { promise, isOver: () => over, cancel: () => clearTimeout(timer) }
}
