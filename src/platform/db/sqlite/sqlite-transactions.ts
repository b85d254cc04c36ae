import { setTimeout as delay } from 'node:timers/promises'
import { Failure } from '../../../errors.ts'
import type { Statement, StatementResult } from '../connection.ts'
import type { DatabaseOptions } from '../database.ts'
import {
  type GroupCommit,
  type GroupLimits,
  groupCommit,
  type OpenGroup,
  type Outcome,
  type WaitingTransaction,
} from '../group-commit.ts'
import { awaitRest, refuseEnded, type TransactionScope, type TransactionRun } from '../transaction-scope.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { fromSqlite, isBusy } from './sqlite-errors.ts'

export interface SqliteLimits extends GroupLimits {
  /**
   * The time limit for the callbacks of one group, in milliseconds. After it, the running callback is
   * aborted.
   */
  readonly work: number
  /** How long a transaction waits for the lock of another process, in milliseconds. */
  readonly lock: number
}

/** The age is also the time that a group blocks the event loop, because its statements are synchronous. */
export const sqliteLimits: SqliteLimits = { transactions: 500, age: 10, work: 10_000, lock: 5_000 }

/** Runs the statements of a transaction's callback. */
export interface TransactionRunConnection {
  readonly transactionRun: TransactionRun
  run(statement: Statement, values: readonly unknown[]): StatementResult
}

/**
 * Runs groups of transactions on the one connection that writes. An `alone` transaction waits for the lock
 * and runs without a time limit.
 */
export function sqliteTransactions(
  writer: SqliteConnection,
  scope: TransactionScope,
  { limits, durability, ...events }: Required<DatabaseOptions> & { readonly limits: SqliteLimits },
): GroupCommit<TransactionRunConnection> {
  let syncs = true

  /** Acquires the write lock. Retries with a timer while another process holds it. */
  async function begin(
    waiting: WaitingTransaction<TransactionRunConnection>[],
  ): Promise<OpenGroup<TransactionRunConnection> | undefined> {
    while (waiting[0]) {
      try {
        if (writer.isTransaction) writer.exec('ROLLBACK')
        if (durability === 'full' && waiting[0].durable !== syncs) {
          // With NORMAL, a commit is written to the WAL and not synced. The file stays consistent in either
          // mode.
          writer.exec(`PRAGMA synchronous = ${waiting[0].durable ? 'FULL' : 'NORMAL'}`)
          syncs = waiting[0].durable
        }
        writer.exec('BEGIN IMMEDIATE')
        return openGroup(writer, limits, waiting[0].alone)
      } catch (error) {
        const now = performance.now()
        const expired = waiting.filter(
          (one) => !isBusy(error) || (!one.alone && one.since + limits.lock <= now),
        )
        for (const one of expired) {
          waiting.splice(waiting.indexOf(one), 1)
          one.reject(fromSqlite(error))
        }
      }
      // The interval is short, because the gaps between two groups of another process are short. It is
      // random, so that the retries do not synchronize with those groups.
      await delay(1 + Math.random() * 2)
    }
    return undefined
  }

  return groupCommit(scope, limits, events, begin)
}

function openGroup(
  writer: SqliteConnection,
  limits: SqliteLimits,
  alone: boolean,
): OpenGroup<TransactionRunConnection> {
  const expiry = expiringAfter(alone ? undefined : limits.work)
  let failure: { readonly error: unknown } | undefined

  async function runTransaction(one: WaitingTransaction<TransactionRunConnection>): Promise<Outcome> {
    const transactionRun: TransactionRun = { open: true, failure: undefined }
    let outcome: Outcome
    try {
      writer.exec('SAVEPOINT run')
      const value = await Promise.race([
        one.run(transactionRun, connectionFor(writer, transactionRun)),
        expiry.promise,
      ])
      transactionRun.open = false
      if (transactionRun.deferredWrites) await awaitRest(transactionRun)
      outcome = transactionRun.failure ?? { value }
    } catch (error) {
      outcome = { error }
    }
    transactionRun.open = false
    if (!writer.isTransaction) return transactionRun.failure ?? outcome
    try {
      if ('error' in outcome) writer.exec('ROLLBACK TO run')
      writer.exec('RELEASE run')
      return outcome
    } catch (error) {
      rollBack()
      return { error }
    }
  }

  async function commit(): Promise<{ readonly error: unknown } | undefined> {
    const until = performance.now() + limits.lock
    while (!failure) {
      try {
        writer.exec('COMMIT')
        return undefined
      } catch (error) {
        if (isBusy(error) && writer.isTransaction && performance.now() < until) {
          await delay(1)
          continue
        }
        rollBack()
        failure = { error }
      }
    }
    return { error: new Failure('DATABASE_UNAVAILABLE', { cause: failure.error }) }
  }

  function rollBack(): void {
    try {
      if (writer.isTransaction) writer.exec('ROLLBACK')
    } catch {
      // The next group rolls back a transaction that is still open before it begins.
    }
  }

  return {
    async run(one) {
      const outcome = await runTransaction(one)
      if (!writer.isTransaction) failure = { error: 'error' in outcome ? outcome.error : undefined }
      return { outcome }
    },
    isOver() {
      return failure !== undefined || expiry.isOver()
    },
    commit() {
      expiry.cancel()
      return commit()
    },
  }
}

function connectionFor(writer: SqliteConnection, transactionRun: TransactionRun): TransactionRunConnection {
  return {
    transactionRun,
    run(statement, values) {
      refuseEnded(transactionRun)
      try {
        return writer.run(statement, values)
      } catch (error) {
        transactionRun.failure = { error: fromSqlite(error) }
        throw transactionRun.failure.error
      }
    },
  }
}

interface Expiry {
  /** Rejects after the time limit. */
  readonly promise: Promise<never>
  isOver(): boolean
  cancel(): void
}

/** @param milliseconds the time limit; undefined means no limit */
function expiringAfter(milliseconds: number | undefined): Expiry {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => {})
  let expired = false
  const expire = () => {
    expired = true
    reject(new Error('The callback of a transaction took too long; it must await only its tx'))
  }
  const timer = milliseconds === undefined ? undefined : setTimeout(expire, milliseconds)
  return { promise, isOver: () => expired, cancel: () => clearTimeout(timer) }
}
