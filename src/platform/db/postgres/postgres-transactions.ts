import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { Failure } from '../../../errors.ts'
import { type Connection, queriesOn, type Statement } from '../connection.ts'
import type { DatabaseEvents, Transaction } from '../database.ts'
import {
  type GroupCommit,
  type GroupLimits,
  groupCommit,
  type OpenGroup,
  type Outcome,
  type WaitingTransaction,
} from '../group-commit.ts'
import { awaitRest, refuseEnded, type TransactionScope, type TransactionRun } from '../transaction-scope.ts'
import { execute, runOn } from './postgres-connections.ts'
import {
  fromPostgres,
  isLockTimeout,
  isStalePlan,
  isRetryable,
  RolledBackWithGroup,
} from './postgres-errors.ts'

/** The minimum number of attempts for a transaction that keeps losing conflicts. */
const minAttempts = 12

/**
 * The minimum time for retries, in milliseconds. It equals the time that a transaction on SQLite waits for
 * its lock.
 */
const minRetryTime = 5_000

/**
 * The number of attempts in a group. Later attempts run alone while no other transaction writes, because a
 * long transaction would otherwise lose every conflict.
 */
const maxGroupAttempts = 4

/** PostgreSQL caches up to 64 subtransactions per transaction in shared memory. More of them are slow. */
export const postgresLimits: GroupLimits = { transactions: 60, age: 20, overtakeAfter: 100 }

/** How long a group waits for its turn among the processes, in milliseconds, before it runs without one. */
const turnTimeout = 500

/** The same after a wait in vain: another process is slow, and every group would wait for it. */
const turnTimeoutAfterLoss = 1

/**
 * How long groups use savepoints after a transaction had to be undone, in milliseconds. Where transactions fail often, each group
 * would otherwise run twice.
 */
const savepointTime = 10_000

/**
 * Runs serializable transactions in groups on one connection, so that transactions of one process do not
 * conflict with each other. The groups of several processes take turns for the same reason: two large groups at
 * the same time nearly always conflict, and one of them is undone. The turn is only a matter of speed. A group that
 * does not get it in time runs without it, and so does a group that overtakes a slow one of its own process. A
 * transaction that loses a conflict, or is rolled back with its group, is retried.
 *
 * A savepoint for each transaction takes the server a tenth of the time of a short transaction, and most transactions that fail
 * have not written. Therefore the transactions of a group have no savepoints at first. If one must be undone, its whole group is
 * rolled back and retried with savepoints, and so are the groups of the next seconds.
 * @param savepointsUntil the time by `performance.now()` until which groups use savepoints
 */
export function postgresTransactions(
  pool: pg.Pool,
  scope: TransactionScope,
  limits: GroupLimits,
  events: DatabaseEvents,
  savepointsUntil = 0,
): Pick<GroupCommit<Transaction>, 'transaction' | 'stats' | 'close'> {
  let openGroups = 0
  let patience = turnTimeout
  let useSavepointsUntil = savepointsUntil
  const groups = groupCommit<Transaction>(scope, limits, events, async (waiting) => {
    openGroups++
    try {
      const client = await pool.connect()
      const begun = begin(client, waiting[0])
      await begun.catch(() => {})
      return openGroup(client, begun, {
        hasSavepoints: performance.now() < useSavepointsUntil,
        onUndo() {
          useSavepointsUntil = Math.max(useSavepointsUntil, performance.now() + savepointTime)
        },
        onEnd() {
          openGroups--
        },
      })
    } catch (error) {
      openGroups--
      for (const one of waiting.splice(0)) one.reject(fromPostgres(error))
      return undefined
    }
  })

  async function begin(
    client: pg.PoolClient,
    first: WaitingTransaction<Transaction> | undefined,
  ): Promise<unknown> {
    const settings = first?.durable === false ? '; SET LOCAL synchronous_commit = off' : ''
    const send = (rest = '') => runOn(client, { sql: `${beginning}${settings}${rest}` }, [])
    if (first?.alone) return send(`; ${await lockOfAllTables(client)}`)
    // Another group of this process may have the turn, and is slow.
    if (openGroups > 1) return send()
    try {
      const answer = await send(`; ${turnWithin(patience)}`)
      patience = turnTimeout
      return answer
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      patience = turnTimeoutAfterLoss
      await runOn(client, { sql: 'ROLLBACK' }, [])
      return send()
    }
  }

  return {
    async transaction(work, durability) {
      const since = performance.now()
      for (let tried = 1; ; tried++) {
        try {
          return await (tried <= maxGroupAttempts
            ? groups.transaction(work, durability, tried === 2 ? since : undefined)
            : groups.alone(work, durability))
        } catch (error) {
          if (!isRetryable(error)) throw error
          if (tried >= minAttempts && performance.now() > since + minRetryTime) throw fromPostgres(error)
          // The transactions of an undone group run again in the same order.
          if (tried === 1 && error instanceof RolledBackWithGroup) continue
        }
        await delay(Math.random() * Math.min(2 ** tried, 200))
      }
    },
    stats: groups.stats,
    close: groups.close,
  }
}

const beginning = 'BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE'

/**
 * The table whose lock is the turn. Every database has it, and only migrations write to it, which this lock does not hinder.
 */
const turnTable = 'migrations'

/**
 * Waits for the turn, which ends with the transaction. LOCK TABLE takes no snapshot, so that the group sees everything that
 * earlier turns committed.
 * @see https://www.postgresql.org/docs/current/transaction-iso.html#XACT-REPEATABLE-READ
 */
const turnWithin = (milliseconds: number) =>
  `SET LOCAL lock_timeout = ${milliseconds}; ` +
  `LOCK TABLE ${turnTable} IN SHARE UPDATE EXCLUSIVE MODE; SET LOCAL lock_timeout TO DEFAULT`

/**
 * Returns a statement for the begin of a transaction during which no other process can write. Other processes can read, and
 * their writes wait. The turn is the first lock, because a group with the turn would otherwise wait for the other locks in a
 * deadlock.
 */
async function lockOfAllTables(client: pg.PoolClient): Promise<string> {
  const sql =
    'select quote_ident(tablename) as name from pg_tables where schemaname = current_schema() ' +
    `order by tablename <> '${turnTable}', tablename`
  const { rows } = await runOn(client, { sql }, [])
  return `LOCK TABLE ${rows.map(({ name }) => name).join(', ')} IN SHARE ROW EXCLUSIVE MODE`
}

/**
 * The name of the savepoint of a run. Neighbours have different names: if a savepoint could not be created, no rollback goes
 * to the one before. That one is the only one that exists, because it is released first.
 */
const savepointName = (run: number) => (run % 2 === 0 ? 'even' : 'odd')

const prepared = (sql: string): Statement => ({ sql, name: sql })

/**
 * Opens the savepoint of a run after the first. The statements are sent together with its first statement.
 * @param last the number of the run that has a savepoint now
 */
async function openSavepoint(client: pg.PoolClient, run: number, last: number): Promise<void> {
  await Promise.all([
    last > 1 && runOn(client, prepared(`RELEASE SAVEPOINT ${savepointName(last)}`), []),
    runOn(client, prepared(`SAVEPOINT ${savepointName(run)}`), []),
  ])
}

/** A run whose callback has resolved or rejected. */
interface EndedRun {
  readonly transactionRun: TransactionRun
  readonly failed: boolean
  /** Resolves when every statement of the run is answered and, if the run failed, it is rolled back. */
  readonly settled: Promise<Outcome>
}

interface GroupOptions {
  /** Whether each transaction after the first has a savepoint. Otherwise the group is undone with one of them. */
  readonly hasSavepoints: boolean
  /** Called when a transaction after the first must be undone. */
  onUndo(): void
  /** Called when the group has ended. */
  onEnd(): void
}

/** @param begun the answer to BEGIN */
function openGroup(
  client: pg.PoolClient,
  begun: Promise<unknown>,
  { hasSavepoints, onUndo, onEnd }: GroupOptions,
): OpenGroup<Transaction> {
  const connectionClosed = Promise.withResolvers<never>()
  connectionClosed.promise.catch(() => {})
  // The server does this to a transaction that stays idle, for example if its callback awaits a promise that
  // never settles.
  const onClose = () =>
    connectionClosed.reject(
      new Failure('DATABASE_UNAVAILABLE', { cause: new Error('The server closed the connection') }),
    )
  client.once('end', onClose)
  let runCount = 0
  let savepoint = 0
  let last: EndedRun | undefined
  let isOver = false
  let isRolledBack = false
  let isUnusable = false
  let undone: { readonly error: unknown } | undefined

  /**
   * Runs a transaction while deferred writes of the previous one may be pending. Their errors are not missed:
   * the server refuses every statement after a failed one.
   */
  async function runTransaction(one: WaitingTransaction<Transaction>): Promise<EndedRun> {
    const before = last
    const transactionRun: TransactionRun = { open: true, failure: undefined, before: before?.transactionRun }
    const number = ++runCount
    // If BEGIN failed, the statements after it run outside of a transaction, where the connection is
    // read-only.
    const opening =
      number === 1 ? begun : hasSavepoints ? openSavepoint(client, number, savepoint) : undefined
    const notOpened = opening?.then(() => undefined, notOpenedBecause)
    savepoint = number
    let called: Outcome
    try {
      called = {
        value: await Promise.race([
          one.run(transactionRun, queriesOn(transactionOn(client, transactionRun))),
          connectionClosed.promise,
        ]),
      }
    } catch (error) {
      called = { error }
    }
    transactionRun.open = false
    return {
      transactionRun,
      failed: 'error' in called || transactionRun.failure !== undefined,
      settled: settle(called),
    }

    async function settle(called: Outcome): Promise<Outcome> {
      if (!('error' in called)) await awaitRest(transactionRun)
      const { failure } = transactionRun
      const outcome = failure && (!('error' in called) || isRetryable(failure.error)) ? failure : called
      const openError = await notOpened
      const earlierFailure = await before?.settled
      if (earlierFailure && 'error' in earlierFailure)
        return { error: new RolledBackWithGroup(earlierFailure.error) }
      const ended = openError ?? outcome
      return 'error' in ended ? undo(number, transactionRun, ended) : ended
    }
  }

  /** Rolls back one run. The other runs of the group stay if there are savepoints, or if the run has not written. */
  async function undo(
    number: number,
    transactionRun: TransactionRun,
    { error }: { readonly error: unknown },
  ): Promise<Outcome> {
    isRolledBack = number === 1
    const withGroup = !isRolledBack && !hasSavepoints
    if (withGroup) {
      // A statement that the callback does not await can still fail.
      await transactionRun.pending?.catch(() => {})
      if (!transactionRun.hasWritten && !transactionRun.failure) return { error }
      undone = { error: new RolledBackWithGroup(error) }
    }
    if (!isRolledBack) onUndo()
    isUnusable = isStalePlan(error)
    isOver = isRolledBack || withGroup || isRetryable(error)
    savepoint = number
    const isUnavailable = error instanceof Failure && error.code === 'DATABASE_UNAVAILABLE'
    try {
      await execute(
        client,
        isRolledBack || withGroup ? 'ROLLBACK' : `ROLLBACK TO SAVEPOINT ${savepointName(number)}`,
      )
      return { error, isFinal: withGroup && isUnavailable }
    } catch (cause) {
      isOver = true
      isUnusable = true
      undone = { error: new RolledBackWithGroup(cause) }
      return { error, isFinal: isUnavailable }
    }
  }

  return {
    async run(one) {
      const before = last
      const ended = await runTransaction(one)
      // At most two runs overlap: one whose answers are pending, and one that runs.
      await before?.settled
      if (ended.failed) await ended.settled
      last = ended.failed ? undefined : ended
      return { outcome: ended.settled }
    },
    isOver() {
      return isOver
    },
    async commit() {
      client.off('end', onClose)
      try {
        if (undone || isRolledBack) return undone
        const command = await execute(client, 'COMMIT')
        if (command !== 'COMMIT')
          throw new RolledBackWithGroup(new Error(`The server answered COMMIT with ${command}`))
        return undefined
      } catch (error) {
        // The COMMIT certainly did not happen only if the server reports a conflict.
        isUnusable ||= !isRetryable(error)
        return { error: isRetryable(error) ? error : fromPostgres(error) }
      } finally {
        client.release(isUnusable)
        onEnd()
      }
    },
  }
}

/** If two transactions deadlock, the server reports it, and one of them is retried. */
function notOpenedBecause(cause: unknown): { error: unknown } {
  return { error: isRetryable(cause) ? cause : new Failure('DATABASE_UNAVAILABLE', { cause }) }
}

/**
 * The connection of one transaction. It refuses statements after a failed statement and after the end of the
 * transaction.
 */
export function transactionOn(client: pg.Client, transactionRun: TransactionRun): Connection {
  return {
    dialect: 'postgres',
    transactionRun,
    async run(statement, values) {
      refuseEnded(transactionRun)
      if (!statement.sql.startsWith('select ')) transactionRun.hasWritten = true
      const answer = runOn(client, statement, values)
      transactionRun.pending = answer
      try {
        return await answer
      } catch (error) {
        transactionRun.failure ??= { error: isRetryable(error) ? error : fromPostgres(error) }
        throw transactionRun.failure.error
      }
    },
    stream() {
      throw new Error('A transaction cannot stream: read a page of rows, or stream outside of it')
    },
  }
}
