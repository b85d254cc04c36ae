import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { postgresUrl, usingDatabases } from '../../../../test/support/databases.ts'
import {
  composerIds,
  insertComposer,
  insertPiece,
  onPieces,
  pieceMigrations,
} from '../../../../test/support/pieces.ts'
import { afterCommit } from '../after-commit.ts'
import { compiled } from '../compiled.ts'
import { deferredWrite } from '../connection.ts'
import { type Queries, type Transaction, warnOf } from '../database.ts'
import type { GroupLimits } from '../group-commit.ts'
import { migrate } from '../migrate.ts'
import { transactionScope } from '../transaction-scope.ts'
import { openPool } from './postgres-connections.ts'
import { postgresLimits, postgresTransactions } from './postgres-transactions.ts'

describe.skipIf(!postgresUrl)(
  `Groups on PostgreSQL${postgresUrl ? '' : ' SKIPPED: there is no server'}`,
  () => {
    const databases = usingDatabases('postgres')
    const ends: (() => unknown)[] = []
    afterEach(async () => {
      for (const end of ends.splice(0).reverse()) await end()
    })

    /**
     * Opens a group commit, a second database on the same schema (as of another process), and a log of the
     * statements that the groups sent.
     */
    async function group(
      limits: Partial<GroupLimits> = {},
      { through = async (url: string) => url, instead = {} as Record<string, string> } = {},
    ) {
      const location = await databases.location()
      const other = await databases.openAgain(location)
      await migrate(other, pieceMigrations)
      const pool = openPool(await through(location.url ?? ''), 3)
      const sent: string[] = []
      pool.on('connect', (client) => {
        const query = client.query.bind(client) as (statement: unknown) => Promise<unknown>
        client.query = ((statement: string | { text: string }) => {
          const text = typeof statement === 'string' ? statement : statement.text
          sent.push(text)
          const other = instead[text]
          if (other !== undefined && typeof statement !== 'string') statement.text = other
          return query(typeof statement === 'string' ? (other ?? statement) : statement)
        }) as never
      })
      const own = { ...postgresLimits, age: 60_000, overtakeAfter: 60_000, ...limits }
      const events = { logError: warnOf, onGroup: () => {} }
      // With savepoints from the beginning: postgres-undo.test.ts tests groups without them.
      const { transaction, close } = postgresTransactions(pool, transactionScope(), own, events, Infinity)
      ends.push(async () => {
        await close()
        await pool.end()
      })
      return { transaction, other, sent, count: (text: string) => sent.filter((one) => one === text).length }
    }

    const begin =
      'BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE; SET LOCAL lock_timeout = 500; ' +
      'LOCK TABLE migrations IN SHARE UPDATE EXCLUSIVE MODE; SET LOCAL lock_timeout TO DEFAULT'
    type Work = (tx: Transaction) => Promise<unknown>
    const write = (id: string) => (tx: Transaction) => insertComposer(tx, id)
    const codes = (settled: PromiseSettledResult<unknown>[]) =>
      settled.map((one) => (one.status === 'fulfilled' ? 'kept' : (one.reason.code ?? one.reason.message)))

    async function backendOf(queries: Queries): Promise<number> {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(queries)
      return rows[0]?.pid ?? 0
    }

    async function terminate(pid: number): Promise<void> {
      const client = new pg.Client(postgresUrl)
      await client.connect()
      await client.query('select pg_terminate_backend($1)', [pid])
      await client.end()
    }

    it('commits waiting transactions together, and answers them after the COMMIT', async () => {
      const { transaction, other, count } = await group()
      const counts: number[] = []
      await Promise.all(
        Array.from({ length: 50 }, async (_, index) => {
          await transaction(write(`c${index}`))
          counts.push((await composerIds(other.read)).length)
        }),
      )
      expect(count('COMMIT')).toBe(1)
      expect(counts).toEqual(Array(50).fill(50))
    })

    it('sends only BEGIN, the statements and COMMIT for a single transaction', async () => {
      const { transaction, sent } = await group()
      await transaction(write('bach'))
      expect(sent).toEqual([begin, 'insert into "composers" ("id", "name") values ($1, $2)', 'COMMIT'])
    })

    it('limits the number of transactions in a group', async () => {
      const { transaction, count } = await group({ transactions: 2 })
      await Promise.all(['a', 'b', 'c', 'd', 'e'].map((id) => transaction(write(id))))
      expect(count('COMMIT')).toBe(3)
    })

    it('shows uncommitted rows only to later transactions of the same group', async () => {
      const { transaction, other } = await group()
      const [, seen] = await Promise.all([
        transaction(write('bach')),
        transaction(async (tx) => [await composerIds(tx), await composerIds(other.read)]),
      ])
      expect(seen).toEqual([['bach'], []])
    })

    it.each([0, 1, 2])('rolls back only the transaction that fails (place %i)', async (place) => {
      const { transaction, other, count } = await group()
      const works: Work[] = [write('bach'), write('corelli')]
      works.splice(place, 0, async (tx) => {
        await insertComposer(tx, 'undone')
        throw new Error('changed my mind')
      })
      const settled = codes(await Promise.allSettled(works.map((work) => transaction(work))))
      expect(settled).toEqual(['kept', 'kept'].toSpliced(place, 0, 'changed my mind'))
      expect(count('COMMIT')).toBe(1)
      expect(await composerIds(other.read)).toEqual(['bach', 'corelli'])
    })

    it('rolls back only the transaction with a failed deferred write', async () => {
      const { transaction, other } = await group()
      const settled = await Promise.allSettled([
        transaction(write('bach')),
        transaction(async (tx) => {
          await insertComposer(tx, 'undone')
          deferredWrite(tx, insertComposer(tx, 'bach'))
        }),
        transaction(write('corelli')),
      ])
      expect(codes(settled)).toEqual(['kept', '23505', 'kept'])
      expect(await composerIds(other.read)).toEqual(['bach', 'corelli'])
    })

    it('starts the next transaction while a deferred write of the previous one is pending', async () => {
      const { transaction, other, count } = await group()
      const order: string[] = []
      await Promise.all([
        transaction(write('bach')),
        transaction(async (tx) => {
          await insertComposer(tx, 'corelli')
          const last = sql`select pg_sleep(0.05)`.execute(tx)
          deferredWrite(
            tx,
            last.then(() => order.push('written')),
          )
        }),
        transaction(async (tx) => {
          order.push('begun')
          await insertComposer(tx, 'dowland')
        }),
      ])
      expect(order).toEqual(['begun', 'written'])
      expect(count('COMMIT')).toBe(1)
      expect(await composerIds(other.read)).toEqual(['bach', 'corelli', 'dowland'])
    })

    it.each([0, 1])(
      'retries the transaction that started while a deferred write was failing (place %i)',
      async (place) => {
        const { transaction, other } = await group()
        await other.transaction((tx) => insertComposer(tx, 'taken'))
        let runs = 0
        const failingLate = async (tx: Transaction) => {
          await insertComposer(tx, 'undone')
          const slow = sql`insert into composers (id, name) select id, name from composers, pg_sleep(0.05) where id = 'taken'`
          deferredWrite(tx, slow.execute(tx))
        }
        const startedMeanwhile = async (tx: Transaction) => {
          runs++
          await insertComposer(tx, 'first')
          await insertComposer(tx, 'second')
        }
        const before = place === 1 ? ['before'] : []
        const works: Work[] = [...before.map(write), failingLate, startedMeanwhile, write('after')]
        const settled = codes(await Promise.allSettled(works.map((work) => transaction(work))))
        expect(settled).toEqual([...before.map(() => 'kept'), '23505', 'kept', 'kept'])
        expect(runs).toBe(2)
        expect(await composerIds(other.read)).toEqual(['after', ...before, 'first', 'second', 'taken'])
      },
    )

    it('retries a transaction whose statement lost a conflict with another process, and keeps the rest of the group', async () => {
      const { transaction, other } = await group()
      await other.transaction(insertAir)
      const runs = { before: 0, loser: 0, after: 0 }
      await Promise.all([
        transaction((tx) => {
          runs.before++
          return insertComposer(tx, 'before')
        }),
        transaction((tx) => addBar(tx, () => (++runs.loser === 1 ? other.transaction(addBar) : undefined))),
        transaction((tx) => {
          runs.after++
          return insertComposer(tx, 'after')
        }),
      ])
      expect(runs).toEqual({ before: 1, loser: 2, after: 1 })
      expect(await composerIds(other.read)).toEqual(['after', 'bach', 'before'])
      expect(await barsOfAir(other.read)).toBe(2)
    })

    it('runs the afterCommit callbacks of a retried transaction once, those of its last run', async () => {
      const { transaction, other } = await group()
      await other.transaction(insertAir)
      const calls: string[] = []
      let runs = 0
      await Promise.all([
        transaction(async (tx) => {
          const run = ++runs
          afterCommit(tx, () => calls.push(`run ${run}`))
          await addBar(tx, () => (run === 1 ? other.transaction(addBar) : undefined))
        }),
        transaction(async (tx) => {
          afterCommit(tx, () => calls.push('other'))
          await insertComposer(tx, 'other')
        }),
      ])
      expect(calls.sort()).toEqual(['other', 'run 2'])
    })

    it('runs no afterCommit callback if the COMMIT is not answered', async () => {
      const { transaction } = await group({}, { through: proxyDroppingCommitAnswer })
      const calls: string[] = []
      const committing = transaction(async (tx) => {
        afterCommit(tx, () => calls.push('lost'))
        await insertComposer(tx, 'bach')
      })
      await expect(committing).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
      await transaction(async (tx) => afterCommit(tx, () => calls.push('next')))
      expect(calls).toEqual(['next'])
    })

    it('runs a transaction alone after four lost conflicts, while other writers wait', async () => {
      const { transaction, other } = await group()
      await other.transaction(insertAir)
      let isOver = false
      let written = 0
      const others = async () => {
        while (!isOver) {
          await other.transaction((tx) => addBar(tx))
          written++
        }
      }
      const writing = others()
      let runs = 0
      await transaction(async (tx) => {
        runs++
        await addBar(tx, () => sql`select pg_sleep(0.05)`.execute(tx))
      })
      isOver = true
      await writing
      expect(runs).toBeLessThanOrEqual(6)
      expect(await barsOfAir(other.read)).toBe(written + 1)
    })

    it('retries all transactions of a group that lost a conflict at COMMIT, including failed ones', async () => {
      const { transaction, other } = await group()
      let isFirst = true
      const settled = await Promise.allSettled([
        transaction(async (tx) => {
          await composerIds(tx)
          await insertComposer(tx, 'bach')
        }),
        transaction(async (tx) => {
          const ids = await composerIds(tx)
          if (!ids.includes('other')) throw new Error(`read a row that was never committed: ${ids}`)
        }),
        transaction(async () => {
          if (!isFirst) return
          isFirst = false
          await other.transaction(async (tx) => {
            await insertComposer(tx, (await composerIds(tx)).length === 0 ? 'other' : 'too late')
          })
        }),
      ])
      expect(codes(settled)).toEqual(['kept', 'kept', 'kept'])
      expect(await composerIds(other.read)).toEqual(['bach', 'other'])
    })

    it('answers 503 to the transaction whose connection is killed, and retries the earlier ones of its group', async () => {
      const { transaction, other } = await group()
      const runs = { before: 0, killed: 0 }
      const settled = await Promise.allSettled([
        transaction((tx) => {
          runs.before++
          return insertComposer(tx, 'before')
        }),
        transaction(async (tx) => {
          runs.killed++
          await insertComposer(tx, 'undone')
          await terminate(await backendOf(tx))
          await insertComposer(tx, 'never written')
        }),
        transaction(write('after')),
      ])
      expect(codes(settled)).toEqual(['kept', 'DATABASE_UNAVAILABLE', 'kept'])
      expect(runs).toEqual({ before: 2, killed: 1 })
      expect(await composerIds(other.read)).toEqual(['after', 'before'])
    })

    it('answers 503 to a callback that never ends once the server closes its connection, and retries the earlier ones', async () => {
      const { transaction, other } = await group()
      const settled = await Promise.allSettled([
        transaction(write('before')),
        transaction(async (tx) => {
          await sql`set local idle_in_transaction_session_timeout = 20`.execute(tx)
          await new Promise(() => {})
        }),
      ])
      expect(codes(settled)).toEqual(['kept', 'DATABASE_UNAVAILABLE'])
      expect(await composerIds(other.read)).toEqual(['before'])
    })

    it('answers 503 if BEGIN fails, including to a transaction that only reads', async () => {
      const { transaction, other } = await group({}, { instead: { [begin]: 'BEGIN ISOLATION LEVEL NONE' } })
      const settled = await Promise.allSettled([transaction(write('bach')), transaction(composerIds)])
      expect(codes(settled)).toEqual(Array(2).fill('DATABASE_UNAVAILABLE'))
      expect(await composerIds(other.read)).toEqual([])
    })

    it('keeps the transactions before a savepoint that could not be created, and answers 503 to the later ones', async () => {
      const { transaction, other } = await group({}, { instead: { 'SAVEPOINT even': 'SAVEPOINT' } })
      const settled = await Promise.allSettled([transaction(write('bach')), transaction(async () => {})])
      expect(codes(settled)).toEqual(['kept', 'DATABASE_UNAVAILABLE'])
      expect(await composerIds(other.read)).toEqual(['bach'])
    })

    it('answers 503 to the whole group and retries nothing if the COMMIT is not answered', async () => {
      const { transaction, other } = await group({}, { through: proxyDroppingCommitAnswer })
      await other.transaction(insertAir)
      const settled = await Promise.allSettled([1, 2, 3].map(() => transaction(addBar)))
      expect(codes(settled)).toEqual(Array(3).fill('DATABASE_UNAVAILABLE'))
      expect(await barsOfAir(other.read)).toBe(3)
      await transaction(addBar)
      expect(await barsOfAir(other.read)).toBe(4)
    })

    it('retries a transaction on another connection after a plan became stale by a migration, and keeps the rest', async () => {
      const { transaction, other } = await group()
      const before = await transaction(async (tx) => [await backendOf(tx), await allComposers(tx, {})])
      await other.exclusive((tx) => sql`alter table composers add column born bigint`.execute(tx))
      let runs = 0
      const [, after] = await Promise.all([
        transaction((tx) => {
          runs++
          return insertComposer(tx, 'bach')
        }),
        transaction(async (tx) => [await backendOf(tx), await allComposers(tx, {})]),
      ])
      expect(after).toEqual([expect.any(Number), [{ id: 'bach', name: 'bach', born: null }]])
      expect(after[0]).not.toBe(before[0])
      expect(runs).toBe(1)
    })

    it('starts the next group while a slow group is running', async () => {
      const { transaction, other } = await group({ age: 0, overtakeAfter: 5 })
      const [started, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const slow = transaction(async (tx) => {
        await insertComposer(tx, 'slow')
        started.resolve()
        await finish.promise
      })
      await started.promise
      await transaction(write('quick'))
      expect(await composerIds(other.read)).toEqual(['quick'])
      finish.resolve()
      await slow
      expect(await composerIds(other.read)).toEqual(['quick', 'slow'])
    })

    it('runs a callback with the asynchronous context of its caller on every attempt', async () => {
      const { transaction } = await group()
      const request = new AsyncLocalStorage<string>()
      const contexts: Record<string, unknown[]> = { a: [], b: [], c: [] }
      const simulated = sql`do $$ begin raise exception 'simulated' using errcode = '40001'; end $$`
      const run = (id: string) =>
        transaction(async (tx) => {
          contexts[id]?.push(request.getStore())
          if (contexts[id]?.length === 1) await simulated.execute(tx)
        })
      await Promise.all(Object.keys(contexts).map((id) => request.run(id, () => run(id))))
      expect(contexts).toEqual({ a: ['a', 'a'], b: ['b', 'b'], c: ['c', 'c'] })
    })

    const allComposers = compiled((db) =>
      onPieces(db as unknown as Transaction)
        .selectFrom('composers')
        .selectAll(),
    )

    async function insertAir(tx: Transaction): Promise<void> {
      await insertComposer(tx, 'bach')
      await insertPiece(tx, 'air', { bars: 0 })
    }

    async function barsOfAir(queries: Queries): Promise<number | undefined> {
      return (await onPieces(queries).selectFrom('pieces').select('bars').executeTakeFirst())?.bars
    }

    async function addBar(tx: Transaction, meanwhile?: () => Promise<unknown> | undefined): Promise<void> {
      const bars = (await barsOfAir(tx)) ?? 0
      await meanwhile?.()
      await onPieces(tx)
        .updateTable('pieces')
        .set({ bars: bars + 1 })
        .execute()
    }

    /** A proxy to the server that forwards the first COMMIT and drops its answer. */
    async function proxyDroppingCommitAnswer(url: string): Promise<string> {
      const through = new URL(url)
      let state: 'waiting' | 'committing' | 'done' = 'waiting'
      const server = createServer((client) => {
        const database = connect(Number(through.port || 5432), through.hostname)
        client.on('data', (bytes) => {
          if (state === 'waiting' && bytes.includes('COMMIT')) state = 'committing'
          database.write(bytes)
        })
        database.on('data', (bytes) => {
          if (state !== 'committing') return client.write(bytes)
          state = 'done'
          return client.destroy()
        })
        client.on('close', () => database.destroy())
      })
      ends.push(() => server.close())
      await once(server.listen(0, '127.0.0.1'), 'listening')
      const proxyUrl = new URL(url)
      proxyUrl.hostname = '127.0.0.1'
      proxyUrl.port = String((server.address() as AddressInfo).port)
      return proxyUrl.href
    }
  },
)
