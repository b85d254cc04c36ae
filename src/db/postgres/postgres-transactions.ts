import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { Failure } from '../../errors.ts'
import { type Connection, queriesOn } from '../connection.ts'
import type { Database } from '../database.ts'
import { refuseEnded, type TransactionScope, type Turn } from '../transaction-scope.ts'
import { runOn } from './postgres-connections.ts'
import { fromPostgres, isStalePlan, isWorthAnotherRun, raise } from './postgres-errors.ts'

/** How often a transaction is run before it is given up, when others keep winning over it. */
const attempts = 12

/** Serializable transactions, each on a connection of the pool, run again when they lost against another one. */
export function postgresTransactions(pool: pg.Pool, scope: TransactionScope): Database['transaction'] {
  const attempt = attemptOn(pool, scope)
  const afterConflicts = oneByOne()

  const retry: typeof attempt = async (work) => {
    for (let tried = 2; ; tried++) {
      try {
        return await attempt(work)
      } catch (error) {
        if (!isWorthAnotherRun(error)) throw error
        if (tried >= attempts) throw fromPostgres(error)
      }
      await delay(Math.random() * Math.min(2 ** tried, 200))
    }
  }

  return async (work) => {
    scope.refuseInside('A transaction')
    try {
      return await attempt(work)
    } catch (error) {
      if (!isWorthAnotherRun(error)) throw error
      return await afterConflicts(() => retry(work))
    }
  }
}

function attemptOn(pool: pg.Pool, scope: TransactionScope): Database['transaction'] {
  return async (work) => {
    const client = await pool.connect().catch(raise)
    const turn: Turn = { open: true, failure: undefined }
    const hungUp = Promise.withResolvers<never>()
    hungUp.promise.catch(() => {})
    // The server does so to a transaction that stays idle: to a callback that awaits something else and never ends.
    const onEnd = () => hungUp.reject(new Failure('DATABASE_UNAVAILABLE', { cause: new Error('The server hung up') }))
    client.once('end', onEnd)
    // The first statement is sent right behind it. Where BEGIN fails, that one can only read, as all outside of one.
    const notBegun = client.query('BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE').then(() => undefined, unavailable)
    let broken = false
    try {
      const value = await Promise.race([
        scope.enter(turn, () => work(queriesOn(transactionOn(client, turn)))),
        hungUp.promise,
      ])
      turn.open = false
      const failure = (await notBegun) ?? turn.failure
      if (failure) throw failure.error
      const { command } = await client.query('COMMIT').catch(raise)
      if (command !== 'COMMIT') throw new Error('PostgreSQL rolled the transaction back instead of committing it')
      return value
    } catch (error) {
      turn.open = false
      broken = isStalePlan(turn.failure?.error)
      await client.query('ROLLBACK').catch(() => {
        broken = true
      })
      const failure = await notBegun
      if (failure) throw failure.error
      throw isWorthAnotherRun(turn.failure?.error) ? turn.failure?.error : error
    } finally {
      client.off('end', onEnd)
      client.release(broken)
    }
  }
}

function unavailable(cause: unknown): { error: Failure } {
  return { error: new Failure('DATABASE_UNAVAILABLE', { cause }) }
}

/** The connection of one transaction, on which nothing runs after a failure or after its end. */
export function transactionOn(client: pg.ClientBase, turn: Turn): Connection {
  return {
    dialect: 'postgres',
    async run(statement, values) {
      refuseEnded(turn)
      try {
        return await runOn(client, statement, values)
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

/**
 * Runs what it is given one after another. Transactions that lost a conflict go through here: those that fight over one
 * row would otherwise go on defeating one another, and most of them would be given up.
 */
function oneByOne(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const mine = last.then(work)
    last = mine.catch(() => {})
    return mine
  }
}
