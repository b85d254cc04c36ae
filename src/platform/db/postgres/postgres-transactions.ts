import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { Failure } from '../../../errors.ts'
import { type Connection, queriesOn } from '../connection.ts'
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
import { runOn } from './postgres-connections.ts'
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
 * Runs serializable transactions in groups on one connection, so that transactions of one process do not
 * conflict with each other. The groups of several processes take turns for the same reason: two large groups at
 * the same time nearly always conflict, and one of them is undone. The turn is only a matter of speed. A group that
 * does not get it in time runs without it, and so does a group that overtakes a slow one of its own process. A
 * transaction that loses a conflict, or is rolled back with its group, is retried.
 */
export function postgresTransactions(
  pool: pg.Pool,
  scope: TransactionScope,
  limits: GroupLimits,
  events: DatabaseEvents,
): Pick<GroupCommit<Transaction>, 'transaction' | 'stats' | 'close'> {
  let openGroups = 0
  let patience = turnTimeout
  const groups = groupCommit<Transaction>(scope, limits, events, async (waiting) => {
    openGroups++
    try {
      const client = await pool.connect()
      const begun = begin(client, waiting[0])
      await begun.catch(() => {})
      return openGroup(client, begun, () => openGroups--)
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
      const retryUntil = performance.now() + minRetryTime
      for (let tried = 1; ; tried++) {
        try {
          return await (tried <= maxGroupAttempts
            ? groups.transaction(work, durability)
            : groups.alone(work, durability))
        } catch (error) {
          if (!isRetryable(error)) throw error
          if (tried >= minAttempts && performance.now() > retryUntil) throw fromPostgres(error)
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
 * The statements that open the savepoint of a run after the first. They are sent together with its first statement.
 * @param last the number of the run that has a savepoint now
 */
function savepointOf(run: number, last: number): string {
  // Every name is different: if a savepoint could not be created, no rollback goes to an earlier one.
  return last === 1 ? `SAVEPOINT run${run}` : `RELEASE SAVEPOINT run${last}; SAVEPOINT run${run}`
}

/** A run whose callback has resolved or rejected. */
interface EndedRun {
  readonly transactionRun: TransactionRun
  readonly failed: boolean
  /** Resolves when every statement of the run is answered and, if the run failed, it is rolled back. */
  readonly settled: Promise<Outcome>
}

/**
 * @param begun the answer to BEGIN
 * @param onEnd called when the group has ended
 */
function openGroup(
  client: pg.PoolClient,
  begun: Promise<unknown>,
  onEnd: () => void,
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
    const opening = number === 1 ? begun : runOn(client, { sql: savepointOf(number, savepoint) }, [])
    const notOpened = opening.then(() => undefined, notOpenedBecause)
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
      return 'error' in ended ? undo(number, ended) : ended
    }
  }

  /** Rolls back one run. The other runs of the group stay. */
  async function undo(number: number, { error }: { readonly error: unknown }): Promise<Outcome> {
    isRolledBack = number === 1
    isUnusable = isStalePlan(error)
    isOver = isRolledBack || isRetryable(error)
    savepoint = number
    try {
      await client.query(isRolledBack ? 'ROLLBACK' : `ROLLBACK TO SAVEPOINT run${number}`)
      return { error }
    } catch (cause) {
      isOver = true
      isUnusable = true
      undone = { error: new RolledBackWithGroup(cause) }
      return { error, isFinal: error instanceof Failure && error.code === 'DATABASE_UNAVAILABLE' }
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
        const { command } = await client.query('COMMIT')
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
