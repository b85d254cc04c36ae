import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { Failure } from '../../errors.ts'
import { type Connection, queriesOn } from '../connection.ts'
import type { Database, Transaction } from '../database.ts'
import { type GroupLimits, groupCommit, type OpenGroup, type Outcome, type Waiting } from '../group-commit.ts'
import { awaitRest, refuseEnded, type TransactionScope, type Turn } from '../transaction-scope.ts'
import { runOn } from './postgres-connections.ts'
import { fromPostgres, isStalePlan, isWorthAnotherRun, Undone } from './postgres-errors.ts'

/** How often a transaction is run at least before it is given up, when others keep winning over it. */
const attempts = 12

/** For so many milliseconds it is tried anyway, as long as one on SQLite waits for its lock. */
const persistence = 5_000

/** In a group with others; afterwards alone, and while no other writes: who takes long would lose again and again. */
const attemptsTogether = 4

/** Of up to 64 savepoints a server remembers in memory to which transaction they belong. */
export const postgresLimits: GroupLimits = { transactions: 60, age: 20, patience: 100 }

/**
 * Serializable transactions in groups on one connection, so that those of one process do not lose against one another.
 * What loses against another process, or is undone through no fault of its own, is run again.
 */
export function postgresTransactions(
  pool: pg.Pool,
  scope: TransactionScope,
  limits: GroupLimits = postgresLimits,
): Pick<Database, 'transaction' | 'close'> {
  const groups = groupCommit<Transaction>(scope, limits, async (waiting) => {
    try {
      const client = await pool.connect()
      const [first] = waiting
      const opening = await Promise.resolve(first?.alone ? stoppingOthers(client) : begin).catch(() => begin)
      return openGroup(client, first?.durable === false ? `${opening}; SET LOCAL synchronous_commit = off` : opening)
    } catch (error) {
      for (const one of waiting.splice(0)) one.reject(fromPostgres(error))
      return undefined
    }
  })

  return {
    async transaction(work, durability) {
      const givenUpAt = performance.now() + persistence
      for (let tried = 1; ; tried++) {
        try {
          return await (tried <= attemptsTogether
            ? groups.transaction(work, durability)
            : groups.alone(work, durability))
        } catch (error) {
          if (!isWorthAnotherRun(error)) throw error
          if (tried >= attempts && performance.now() > givenUpAt) throw fromPostgres(error)
        }
        await delay(Math.random() * Math.min(2 ** tried, 200))
      }
    },
    close: groups.close,
  }
}

const begin = 'BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE'

/** Begins a transaction during which no other process writes; they go on reading, and wait with what they write. */
async function stoppingOthers(client: pg.PoolClient): Promise<string> {
  const { rows } = await runOn(
    client,
    { sql: 'select quote_ident(tablename) as name from pg_tables where schemaname = current_schema() order by 1' },
    [],
  )
  const tables = rows.map(({ name }) => name).join(', ')
  return tables === '' ? begin : `${begin}; LOCK TABLE ${tables} IN SHARE ROW EXCLUSIVE MODE`
}

/** What opens a turn after the first is sent together with its first statement. @param last whose savepoint there is */
function savepointOf(turn: number, last: number): string {
  // Each has a name of its own: where one could not be made, nothing is rolled back to one before it.
  return last === 1 ? `SAVEPOINT turn${turn}` : `RELEASE SAVEPOINT turn${last}; SAVEPOINT turn${turn}`
}

/** A turn whose callback is over, well or not. */
interface OverTurn {
  readonly turn: Turn
  readonly failed: boolean
  /** Its outcome, once all that it sent is answered and it is undone where it failed. */
  readonly settled: Promise<Outcome>
}

function openGroup(client: pg.PoolClient, begin: string): OpenGroup<Transaction> {
  const hungUp = Promise.withResolvers<never>()
  hungUp.promise.catch(() => {})
  // The server does so to a transaction that stays idle: to a callback that awaits something else and never ends.
  const onEnd = () => hungUp.reject(new Failure('DATABASE_UNAVAILABLE', { cause: new Error('The server hung up') }))
  client.once('end', onEnd)
  let turns = 0
  let savepoint = 0
  let last: OverTurn | undefined
  let isOver = false
  let isRolledBack = false
  let isUseless = false
  let undone: { readonly error: unknown } | undefined

  /**
   * Runs a turn while that before it may still be answered: what a callback does not wait for is written while the next
   * one is under way. Nothing can go wrong unnoticed, since the server takes no statement after one that failed.
   */
  async function runTurn(one: Waiting<Transaction>): Promise<OverTurn> {
    const before = last
    const turn: Turn = { open: true, failure: undefined, before: before?.turn }
    const number = ++turns
    // Where BEGIN fails, the statements behind it can only read, as all outside of a transaction.
    const sql = number === 1 ? begin : savepointOf(number, savepoint)
    const notOpened = runOn(client, { sql }, []).then(() => undefined, notOpenedBecause)
    savepoint = number
    let called: Outcome
    try {
      called = { value: await Promise.race([one.run(turn, queriesOn(transactionOn(client, turn))), hungUp.promise]) }
    } catch (error) {
      called = { error }
    }
    turn.open = false
    return { turn, failed: 'error' in called || turn.failure !== undefined, settled: settle(called) }

    async function settle(called: Outcome): Promise<Outcome> {
      if (!('error' in called)) await awaitRest(turn)
      const { failure } = turn
      const outcome = failure && (!('error' in called) || isWorthAnotherRun(failure.error)) ? failure : called
      const cannotOpen = await notOpened
      const lost = await before?.settled
      if (lost && 'error' in lost) return { error: new Undone(lost.error) }
      const ended = cannotOpen ?? outcome
      return 'error' in ended ? undo(number, ended) : ended
    }
  }

  /** The others stand, also those of a group in which one has lost. */
  async function undo(turn: number, { error }: { readonly error: unknown }): Promise<Outcome> {
    isRolledBack = turn === 1
    isUseless = isStalePlan(error)
    isOver = isRolledBack || isWorthAnotherRun(error)
    savepoint = turn
    try {
      await client.query(isRolledBack ? 'ROLLBACK' : `ROLLBACK TO SAVEPOINT turn${turn}`)
      return { error }
    } catch (cause) {
      isOver = true
      isUseless = true
      undone = { error: new Undone(cause) }
      return { error, isFinal: error instanceof Failure && error.code === 'DATABASE_UNAVAILABLE' }
    }
  }

  return {
    async run(one) {
      const before = last
      const over = await runTurn(one)
      // Two at a time: one that is being answered, and one that is under way.
      await before?.settled
      if (over.failed) await over.settled
      last = over.failed ? undefined : over
      return { outcome: over.settled }
    },
    isOver() {
      return isOver
    },
    async commit() {
      client.off('end', onEnd)
      try {
        if (undone || isRolledBack) return undone
        const { command } = await client.query('COMMIT')
        if (command !== 'COMMIT') throw new Undone(new Error(`${command} in place of COMMIT`))
        return undefined
      } catch (error) {
        // Only where the server says that it lost is it known that it did not happen.
        isUseless ||= !isWorthAnotherRun(error)
        return { error: isWorthAnotherRun(error) ? error : fromPostgres(error) }
      } finally {
        client.release(isUseless)
      }
    },
  }
}

/** Two that stop each other are told so by the server, and one is run again. */
function notOpenedBecause(cause: unknown): { error: unknown } {
  return { error: isWorthAnotherRun(cause) ? cause : new Failure('DATABASE_UNAVAILABLE', { cause }) }
}

/** The connection of one transaction, on which nothing runs after a failure or after its end. */
export function transactionOn(client: pg.Client, turn: Turn): Connection {
  return {
    dialect: 'postgres',
    turn,
    async run(statement, values) {
      refuseEnded(turn)
      const answer = runOn(client, statement, values)
      turn.pending = answer
      try {
        return await answer
      } catch (error) {
        turn.failure ??= { error: isWorthAnotherRun(error) ? error : fromPostgres(error) }
        throw turn.failure.error
      }
    },
    stream() {
      throw new Error('A transaction does not stream: read a page of rows, or stream outside of it')
    },
  }
}
