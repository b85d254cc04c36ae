import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { postgresUrl, usingDatabases } from '../../../../test/support/databases.ts'
import { composerIds, insertComposer, pieceMigrations } from '../../../../test/support/pieces.ts'
import { deferredWrite } from '../connection.ts'
import { type Database, type Transaction, warnOf } from '../database.ts'
import { migrate } from '../migrate.ts'
import { transactionScope } from '../transaction-scope.ts'
import { openPool } from './postgres-connections.ts'
import { postgresLimits, postgresTransactions } from './postgres-transactions.ts'

type Work = (tx: Transaction) => Promise<unknown>

describe.skipIf(!postgresUrl)(
  `A group of transactions without savepoints${postgresUrl ? '' : ' SKIPPED: there is no server'}`,
  () => {
    const databases = usingDatabases('postgres')

    const ends: (() => unknown)[] = []
    afterEach(async () => {
      for (const end of ends.splice(0).reverse()) await end()
    })

    /** Opens groups that accept transactions for as long as the test takes, and a database on the same schema. */
    async function open() {
      const location = await databases.location()
      const other = await databases.openAgain(location)
      await migrate(other, pieceMigrations)
      const pool = openPool(location.url ?? '', 3)
      const limits = { ...postgresLimits, age: 60_000, overtakeAfter: 60_000 }
      const events = { logError: warnOf, onGroup: () => {} }
      const { transaction, close } = postgresTransactions(pool, transactionScope(), limits, events)
      ends.push(async () => {
        await close()
        await pool.end()
      })
      return { transaction, other }
    }

    /** Runs transactions in one group. Resolves to their outcomes, each with the number of its runs. */
    async function runTogether({ transaction }: Pick<Database, 'transaction'>, works: readonly Work[]) {
      const runs = works.map(() => 0)
      const settled = await Promise.allSettled(
        works.map((work, index) =>
          transaction((tx) => {
            runs[index] = (runs[index] ?? 0) + 1
            return work(tx)
          }),
        ),
      )
      return settled.map((one, index) => [
        one.status === 'fulfilled' ? 'kept' : (one.reason.code ?? one.reason.message),
        runs[index],
      ])
    }

    const write = (id: string) => (tx: Transaction) => insertComposer(tx, id)

    async function failAfterWrite(tx: Transaction): Promise<never> {
      await insertComposer(tx, 'undone')
      throw new Error('changed my mind')
    }

    async function failAfterRead(tx: Transaction): Promise<never> {
      await composerIds(tx)
      throw new Error('not allowed')
    }

    it('is kept if one of its transactions fails before it writes', async () => {
      const db = await open()
      const outcomes = await runTogether(db, [write('bach'), failAfterRead, write('corelli')])
      expect(outcomes).toEqual([
        ['kept', 1],
        ['not allowed', 1],
        ['kept', 1],
      ])
      expect(await composerIds(db.other.read)).toEqual(['bach', 'corelli'])
    })

    it.each([1, 2])(
      'runs again if a transaction fails after a write (place %i); the next groups have savepoints',
      async (place) => {
        const db = await open()
        const first = [write('bach'), write('corelli')]
        const again = await runTogether(db, first.toSpliced(place, 0, failAfterWrite))
        expect(again[place]).toEqual(['changed my mind', 2])
        expect(again[0]).toEqual(['kept', 2])
        expect(await composerIds(db.other.read)).toEqual(['bach', 'corelli'])
        const next = [write('dowland'), write('elgar')]
        const once = await runTogether(db, next.toSpliced(place, 0, failAfterWrite))
        expect(once).toEqual(
          [
            ['kept', 1],
            ['kept', 1],
          ].toSpliced(place, 0, ['changed my mind', 1]),
        )
        expect(await composerIds(db.other.read)).toEqual(['bach', 'corelli', 'dowland', 'elgar'])
      },
    )

    it.each<[string, string, Work]>([
      ['deferred write', '23505', async (tx) => deferredWrite(tx, insertComposer(tx, 'taken'))],
      [
        'read',
        '42P01',
        (tx) =>
          tx
            .selectFrom('missing' as never)
            .selectAll()
            .execute(),
      ],
    ])('runs again if a %s fails, and keeps the others', async (_name, code, work) => {
      const db = await open()
      await db.other.transaction(write('taken'))
      const [bach, failed, corelli] = await runTogether(db, [write('bach'), work, write('corelli')])
      expect([bach, failed, corelli?.[0]]).toEqual([['kept', 2], [code, 2], 'kept'])
      expect(await composerIds(db.other.read)).toEqual(['bach', 'corelli', 'taken'])
    })

    it('runs again without a transaction for which the server had no room', async () => {
      const db = await open()
      const full: Work = (tx) =>
        sql`do ${sql.raw("$$ begin raise exception 'simulated' using errcode = '53100'; end $$")}`.execute(tx)
      const [bach, failed, corelli] = await runTogether(db, [write('bach'), full, write('corelli')])
      expect([bach, failed, corelli?.[0]]).toEqual([['kept', 2], ['DATABASE_UNAVAILABLE', 1], 'kept'])
      expect(await composerIds(db.other.read)).toEqual(['bach', 'corelli'])
    })
  },
)
