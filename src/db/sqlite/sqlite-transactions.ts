import { setTimeout as delay } from 'node:timers/promises'
import { Failure } from '../../errors.ts'
import type { Statement, StatementResult } from '../connection.ts'
import {
  type GroupCommit,
  type GroupLimits,
  groupCommit,
  type OpenGroup,
  type Outcome,
  type Waiting,
} from '../group-commit.ts'
import { awaitRest, refuseEnded, type TransactionScope, type Turn } from '../transaction-scope.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { fromSqlite, isBusy } from './sqlite-errors.ts'

export interface SqliteLimits extends GroupLimits {
  /** How long, in milliseconds, the callbacks of one group may take before the one that is running is given up. */
  readonly work: number
  /** How long, in milliseconds, a transaction waits for the lock that another process holds. */
  readonly lock: number
}

/** The age is how long the event loop stands still, since everything in a group is synchronous. */
export const sqliteLimits: SqliteLimits = { transactions: 500, age: 10, work: 10_000, lock: 5_000 }

/** What the callback of a transaction runs its statements with. */
export interface TurnConnection {
  readonly turn: Turn
  run(statement: Statement, values: readonly unknown[]): StatementResult
}

/**
 * Groups of transactions on the one connection that writes. One that is alone waits for the lock and works without a
 * limit of time.
 */
export function sqliteTransactions(
  writer: SqliteConnection,
  scope: TransactionScope,
  limits: SqliteLimits = sqliteLimits,
): GroupCommit<TurnConnection> {
  let syncs = true

  /** Takes the write lock; tries again by a timer while another process has it. */
  async function begin(waiting: Waiting<TurnConnection>[]): Promise<OpenGroup<TurnConnection> | undefined> {
    while (waiting[0]) {
      try {
        if (writer.isTransaction) writer.exec('ROLLBACK')
        if (waiting[0].durable !== syncs) {
          // With NORMAL a commit is written to the log and not synced; the file stays whole in any case.
          writer.exec(`PRAGMA synchronous = ${waiting[0].durable ? 'FULL' : 'NORMAL'}`)
          syncs = waiting[0].durable
        }
        writer.exec('BEGIN IMMEDIATE')
        return openGroup(writer, limits, waiting[0].alone)
      } catch (error) {
        const now = performance.now()
        const hopeless = waiting.filter((one) => !isBusy(error) || (!one.alone && one.since + limits.lock <= now))
        for (const one of hopeless) {
          waiting.splice(waiting.indexOf(one), 1)
          one.reject(fromSqlite(error))
        }
      }
      // Often, since the gaps between two groups of another process are short; by chance, so as not to beat in time with it.
      await delay(1 + Math.random() * 2)
    }
    return undefined
  }

  return groupCommit(scope, limits, begin)
}

function openGroup(writer: SqliteConnection, limits: SqliteLimits, alone: boolean): OpenGroup<TurnConnection> {
  const expiry = expiringAfter(alone ? undefined : limits.work)
  let lost: { readonly error: unknown } | undefined

  async function runTurn(one: Waiting<TurnConnection>): Promise<Outcome> {
    const turn: Turn = { open: true, failure: undefined }
    let outcome: Outcome
    try {
      writer.exec('SAVEPOINT turn')
      const value = await Promise.race([one.run(turn, connectionFor(writer, turn)), expiry.promise])
      turn.open = false
      if (turn.unawaited) await awaitRest(turn)
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

  async function commit(): Promise<{ readonly error: unknown } | undefined> {
    const until = performance.now() + limits.lock
    while (!lost) {
      try {
        writer.exec('COMMIT')
        return undefined
      } catch (error) {
        if (isBusy(error) && writer.isTransaction && performance.now() < until) {
          await delay(1)
          continue
        }
        rollBack()
        lost = { error }
      }
    }
    return { error: new Failure('DATABASE_UNAVAILABLE', { cause: lost.error }) }
  }

  function rollBack(): void {
    try {
      if (writer.isTransaction) writer.exec('ROLLBACK')
    } catch {
      // The next group begins with it.
    }
  }

  return {
    async run(one) {
      const outcome = await runTurn(one)
      if (!writer.isTransaction) lost = { error: 'error' in outcome ? outcome.error : undefined }
      return { outcome }
    },
    isOver() {
      return lost !== undefined || expiry.isOver()
    },
    commit() {
      expiry.cancel()
      return commit()
    },
  }
}

function connectionFor(writer: SqliteConnection, turn: Turn): TurnConnection {
  return {
    turn,
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
