import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { transactionScope } from '../transaction-scope.ts'
import { warnOf } from '../database.ts'
import { openSqliteConnection, type SqliteConnection } from './sqlite-connection.ts'
import {
  type SqliteLimits,
  sqliteLimits,
  sqliteTransactions,
  type TransactionRunConnection,
} from './sqlite-transactions.ts'

let folder: string
let path: string
let writer: SqliteConnection
let reader: SqliteConnection

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'partita-group-'))
  path = join(folder, 'partita.db')
  writer = openSqliteConnection(path, { readOnly: false })
  reader = openSqliteConnection(path, { readOnly: true })
  writer.exec('CREATE TABLE notes (pitch text PRIMARY KEY) STRICT')
})

afterEach(async () => {
  reader.close()
  writer.close()
  await rm(folder, { recursive: true })
})

/** Opens a group commit on the write connection, with a log of the transaction control statements. */
function group(
  limits: Partial<SqliteLimits> = {},
  refuse: (sql: string) => Error | undefined = () => undefined,
) {
  const executed: string[] = []
  const watched: SqliteConnection = {
    run: writer.run,
    iterate: writer.iterate,
    close: writer.close,
    get isTransaction() {
      return writer.isTransaction
    },
    exec(sql) {
      executed.push(sql)
      const error = refuse(sql)
      if (error) throw error
      writer.exec(sql)
    },
  }
  const commits = sqliteTransactions(watched, transactionScope(), {
    limits: { ...sqliteLimits, age: 60_000, ...limits },
    logError: warnOf,
    onGroup: () => {},
    durability: 'full',
  })
  return { ...commits, executed, count: (sql: string) => executed.filter((one) => one === sql).length }
}

const insert = (tx: TransactionRunConnection, pitch: string) =>
  tx.run({ sql: 'INSERT INTO notes VALUES (?)' }, [pitch])
const write = (pitch: string) => async (tx: TransactionRunConnection) => insert(tx, pitch)
const pitches = (on: SqliteConnection = reader) =>
  on.run({ sql: 'SELECT pitch FROM notes ORDER BY pitch' }, []).rows.map(({ pitch }) => pitch)
const codes = (settled: PromiseSettledResult<unknown>[]) =>
  settled.map((one) => (one.status === 'fulfilled' ? 'kept' : (one.reason.code ?? one.reason.message)))
const sqliteError = (errcode: number) =>
  Object.assign(new Error('simulated'), { code: 'ERR_SQLITE_ERROR', errcode })

it('syncs waiting transactions with one COMMIT, and answers them after it', async () => {
  const { transaction, count } = group()
  const counts: unknown[] = []
  await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      await transaction(write(`n${index}`))
      counts.push(pitches().length)
    }),
  )
  expect(count('COMMIT')).toBe(1)
  expect(counts).toEqual(Array(50).fill(50))
})

it('shows uncommitted rows only to later transactions of the same group', async () => {
  const { transaction } = group()
  const inside = Promise.all([
    transaction(write('c')),
    transaction(async (tx) => [tx.run({ sql: 'SELECT pitch FROM notes' }, []).rows.length, pitches().length]),
  ])
  expect((await inside)[1]).toEqual([1, 0])
})

it('rolls back only the transaction that throws', async () => {
  const { transaction } = group()
  const settled = await Promise.allSettled([
    transaction(write('c')),
    transaction(async (tx) => {
      insert(tx, 'd')
      throw new Error('changed my mind')
    }),
    transaction(write('e')),
  ])
  expect(codes(settled)).toEqual(['kept', 'changed my mind', 'kept'])
  expect(pitches()).toEqual(['c', 'e'])
})

it('rolls back a transaction with a failed statement even if its callback caught the error', async () => {
  const { transaction } = group()
  const settled = await Promise.allSettled([
    transaction(write('c')),
    transaction(async (tx) => {
      insert(tx, 'd')
      expect(() => insert(tx, 'c')).toThrow('UNIQUE')
      expect(() => insert(tx, 'e')).toThrow('UNIQUE')
    }),
  ])
  expect(codes(settled)).toEqual(['kept', 'ERR_SQLITE_ERROR'])
  expect(pitches()).toEqual(['c'])
})

it('runs no statement of another transaction inside one that awaits a foreign promise', async () => {
  const { transaction } = group()
  const bell = Promise.withResolvers<void>()
  const order: string[] = []
  const first = transaction(async (tx) => {
    insert(tx, 'c')
    order.push('first waits')
    await bell.promise
    order.push('first goes on')
    throw new Error('undone')
  })
  const second = transaction(async (tx) => {
    order.push('second')
    insert(tx, 'd')
  })
  while (order.length === 0) await nextTurn()
  await nextTurn()
  bell.resolve()
  expect(codes(await Promise.allSettled([first, second]))).toEqual(['undone', 'kept'])
  expect(order).toEqual(['first waits', 'first goes on', 'second'])
  expect(pitches()).toEqual(['d'])
})

it('refuses a nested transaction, and runs one after the outer transaction', async () => {
  const { transaction } = group()
  const nested = transaction(async () => {
    await nextTurn()
    return transaction(write('c'))
  })
  await expect(nested).rejects.toThrow('A transaction inside of a transaction')
  await transaction(write('d'))
  expect(pitches()).toEqual(['d'])
})

it('refuses a statement after the end of its callback', async () => {
  const { transaction } = group()
  const late = await transaction(async (tx) => () => insert(tx, 'c'))
  expect(late).toThrow('The transaction has ended')
  await transaction(async () => {
    expect(late).toThrow('The transaction has ended')
  })
  expect(pitches()).toEqual([])
})

it('runs a callback with the asynchronous context of its caller', async () => {
  const { transaction } = group()
  const request = new AsyncLocalStorage<string>()
  const contexts = ['a', 'b', 'c'].map((id) =>
    request.run(id, () => transaction(async () => request.getStore())),
  )
  expect(await Promise.all(contexts)).toEqual(['a', 'b', 'c'])
})

it('aborts a callback that never ends, and keeps the other transactions', async () => {
  const { transaction } = group({ work: 20 })
  const settled = await Promise.allSettled([
    transaction(write('c')),
    transaction((tx) => {
      insert(tx, 'd')
      return new Promise(() => {})
    }),
    transaction(write('e')),
  ])
  expect(codes(settled)[1]).toContain('took too long')
  expect(pitches()).toEqual(['c', 'e'])
})

it('limits the number of transactions in a group', async () => {
  const { transaction, count } = group({ transactions: 2 })
  await Promise.all(['c', 'd', 'e', 'f', 'g'].map((pitch) => transaction(write(pitch))))
  expect(count('COMMIT')).toBe(3)
})

it('yields to the event loop between groups while transactions keep arriving', async () => {
  const { transaction, count } = group({ age: 0 })
  let turns = 0
  const timer = setInterval(() => turns++, 0)
  while (turns < 3) await Promise.all([transaction(async () => {}), transaction(async () => {})])
  clearInterval(timer)
  expect(count('COMMIT')).toBeGreaterThan(1)
})

it.each([
  ['a full disk', 13],
  ['an I/O error', 10],
])('answers 503 to the whole group if its COMMIT fails with %s', async (_, errcode) => {
  let failures = 1
  const { transaction } = group({}, (sql) =>
    sql === 'COMMIT' && failures-- > 0 ? sqliteError(errcode) : undefined,
  )
  const settled = await Promise.allSettled([
    transaction(write('c')),
    transaction(async () => {
      throw new Error('own failure, perhaps because of a row of c')
    }),
  ])
  expect(codes(settled)).toEqual(['DATABASE_UNAVAILABLE', 'DATABASE_UNAVAILABLE'])
  expect(pitches()).toEqual([])
  await transaction(write('d'))
  expect(pitches()).toEqual(['d'])
})

it('runs afterCommit callbacks only if the COMMIT succeeds', async () => {
  let failures = 1
  const { transaction } = group({}, (sql) =>
    sql === 'COMMIT' && failures-- > 0 ? sqliteError(13) : undefined,
  )
  const calls: string[] = []
  const writeNoting = (pitch: string) =>
    transaction(async (tx) => {
      tx.transactionRun.afterCommit = [() => calls.push(pitch)]
      insert(tx, pitch)
    })
  const settled = await Promise.allSettled([writeNoting('c'), writeNoting('d')])
  expect(codes(settled)).toEqual(Array(2).fill('DATABASE_UNAVAILABLE'))
  await writeNoting('e')
  expect([calls, pitches()]).toEqual([['e'], ['e']])
})

it('retries a COMMIT that was busy', async () => {
  let failures = 3
  const { transaction, count } = group({}, (sql) =>
    sql === 'COMMIT' && failures-- > 0 ? sqliteError(5) : undefined,
  )
  await transaction(write('c'))
  expect(count('COMMIT')).toBe(4)
  expect(pitches()).toEqual(['c'])
})

it('ends the group if a statement finds the database full, and runs no further transaction of it', async () => {
  const { transaction } = group()
  const pages = Number(writer.run({ sql: 'PRAGMA page_count' }, []).rows[0]?.page_count)
  writer.run({ sql: `PRAGMA max_page_count = ${pages + 3}` }, [])
  let wasCalled = false
  const settled = await Promise.allSettled([
    transaction(write('c')),
    transaction(async (tx) => {
      for (let n = 0; n < 10_000; n++) insert(tx, `${n}`.padStart(200, '0'))
    }),
    transaction(write('d')),
  ])
  const [first, second, third] = codes(settled)
  expect([first, second]).toEqual(['DATABASE_UNAVAILABLE', 'DATABASE_UNAVAILABLE'])
  // This transaction ran later, in another group.
  expect(third).toBe('kept')
  expect(pitches()).toEqual(['d'])

  const caught = transaction(async (tx) => {
    for (let n = 0; n < 10_000; n++) {
      try {
        insert(tx, `${n}`.padStart(200, '0'))
      } catch {
        insert(tx, 'outside of any transaction')
        wasCalled = true
      }
    }
  })
  await expect(caught).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  expect(wasCalled).toBe(false)
  expect(pitches()).toEqual(['d'])
})

it('waits for the lock of another connection without blocking the event loop', async () => {
  const { transaction } = group()
  const other = openSqliteConnection(path, { readOnly: false })
  other.exec('BEGIN EXCLUSIVE')
  const waiting = transaction(write('c'))
  for (let transactionRun = 0; transactionRun < 100; transactionRun++) await nextTurn()
  expect(pitches()).toEqual([])
  other.exec('COMMIT')
  other.close()
  await waiting
  expect(pitches()).toEqual(['c'])
})

it('answers 503 if the lock is not acquired in time, and recovers', async () => {
  const { transaction } = group({ lock: 30 })
  const other = openSqliteConnection(path, { readOnly: false })
  other.exec('BEGIN IMMEDIATE')
  const settled = await Promise.allSettled([transaction(write('c')), transaction(write('d'))])
  expect(codes(settled)).toEqual(['DATABASE_UNAVAILABLE', 'DATABASE_UNAVAILABLE'])
  other.exec('COMMIT')
  other.close()
  await transaction(write('e'))
  expect(pitches()).toEqual(['e'])
})

it('runs an `alone` transaction in its own group, without a time limit', async () => {
  const { transaction, alone, count } = group({ work: 5, lock: 5 })
  await Promise.all([
    transaction(write('c')),
    alone(async (tx) => {
      insert(tx, 'd')
      await new Promise((resolve) => setTimeout(resolve, 30))
      insert(tx, 'e')
    }),
    transaction(write('f')),
  ])
  expect(count('COMMIT')).toBe(3)
  expect(pitches()).toEqual(['c', 'd', 'e', 'f'])
})

it('closes after the running transactions, and refuses new ones', async () => {
  const { transaction, close } = group()
  const last = transaction(write('c'))
  await close()
  await last
  expect(pitches()).toEqual(['c'])
  await expect(transaction(write('d'))).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
})
