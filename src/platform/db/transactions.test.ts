import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import {
  composerIds,
  insertComposer,
  insertPiece,
  onPieces,
  pieceMigrations,
} from '../../../test/support/pieces.ts'
import { deferredWrite } from './connection.ts'
import type { Transaction } from './database.ts'
import { isUniqueViolation } from './violations.ts'

const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

describeEachDatabase('a transaction', (databases) => {
  /** The durability setting of this transaction in the database. */
  const levelIn = async (tx: Transaction): Promise<string> => {
    const query = databases.dialect === 'sqlite' ? sql`PRAGMA synchronous` : sql`SHOW synchronous_commit`
    const { rows } = await query.execute(tx)
    return String(Object.values(rows[0] ?? {})[0])
  }

  it('shows the writes of a transaction to its caller once it is acknowledged', async () => {
    const db = await databases.open(pieceMigrations)
    for (const id of ['a', 'b', 'c', 'd', 'e']) {
      await db.transaction((tx) => insertComposer(tx, id))
      expect((await composerIds(db.read)).at(-1)).toBe(id)
    }
  })

  it('returns the result of the callback, and shows the callback its own writes', async () => {
    const db = await databases.open(pieceMigrations)
    const names = await db.transaction(async (tx) => {
      await insertComposer(tx, 'bach')
      return composerIds(tx)
    })
    expect(names).toEqual(['bach'])
  })

  it('syncs durable transactions, and never delays a non-durable one by a sync, in any order', async () => {
    const db = await databases.open(pieceMigrations)
    const [durable, not] = databases.dialect === 'sqlite' ? ['2', '1'] : ['on', 'off']
    const durabilities = Array.from({ length: 60 }, (_, n) => n % 7 !== 0 && n % 2 === 0)
    const levels = await Promise.all(
      durabilities.map((isDurable, n) =>
        db.transaction(
          async (tx) => {
            await insertComposer(tx, `composer ${n}`)
            return levelIn(tx)
          },
          isDurable ? undefined : { durable: false },
        ),
      ),
    )
    const durables = levels.filter((_, n) => durabilities[n])
    expect(new Set(durables)).toEqual(new Set([durable]))
    expect(await db.transaction(levelIn, { durable: false })).toBe(not)
    expect(await db.transaction(levelIn)).toBe(durable)
    expect(await composerIds(db.read)).toHaveLength(60)
  })

  it('syncs no transaction of a database that was opened with durability off', async () => {
    const db = await databases.openAgain(await databases.migrated(), { durability: 'off' })
    const off = databases.dialect === 'sqlite' ? '0' : 'off'
    expect(await db.transaction(levelIn)).toBe(off)
    expect(await db.transaction(levelIn, { durable: false })).toBe(off)
    expect(await db.transaction(levelIn, { durable: true })).toBe(off)
    expect(await db.exclusive((tx) => levelIn(tx as unknown as Transaction))).toBe(off)
  })

  it('rolls back a transaction that throws, and passes its error on unchanged', async () => {
    const db = await databases.open(pieceMigrations)
    const error = new TypeError('mine')
    const thrown = await errorOf(
      db.transaction(async (tx) => {
        await insertComposer(tx, 'bach')
        throw error
      }),
    )
    expect(thrown).toBe(error)
    expect(await composerIds(db.read)).toEqual([])
  })

  it('rolls back a transaction with a failed statement even if the callback caught the error', async () => {
    const db = await databases.open(pieceMigrations)
    const error = await errorOf(
      db.transaction(async (tx) => {
        await insertComposer(tx, 'bach')
        await insertComposer(tx, 'bach').catch(() => {})
        await insertComposer(tx, 'buxtehude').catch(() => {})
      }),
    )
    expect(isUniqueViolation(error)).toBe(true)
    expect(await composerIds(db.read)).toEqual([])
  })

  it('writes the deferred writes of a transaction, and fails if one of them fails', async () => {
    const db = await databases.open(pieceMigrations)
    const deferWrite = (id: string, last: string) =>
      db.transaction(async (tx) => {
        await insertComposer(tx, id)
        deferredWrite(tx, insertComposer(tx, last))
      })
    await deferWrite('albeniz', 'bach')
    const [violation, none] = await Promise.all([
      errorOf(deferWrite('undone', 'bach')),
      errorOf(deferWrite('cage', 'dufay')),
    ])
    expect([isUniqueViolation(violation), none]).toEqual([true, undefined])
    expect(await composerIds(db.read)).toEqual(['albeniz', 'bach', 'cage', 'dufay'])
  })

  it('rolls back a transaction whose deferred code runs statements after its end', async () => {
    const db = await databases.open(pieceMigrations)
    const error = await errorOf(
      db.transaction(async (tx) => {
        const both = async () => {
          await insertComposer(tx, 'bach')
          await insertComposer(tx, 'late')
        }
        deferredWrite(tx, both())
      }),
    )
    expect(String(error)).toContain('The transaction has ended')
    expect(await composerIds(db.read)).toEqual([])
  })

  it('refuses a deferred write outside of a transaction', async () => {
    const db = await databases.open(pieceMigrations)
    expect(() => deferredWrite(db.read as never, Promise.resolve())).toThrow(
      'deferredWrite needs a transaction',
    )
  })

  it('loses no update of concurrent transactions that read and write the same row', async () => {
    const db = await databases.open(pieceMigrations)
    await db.transaction(async (tx) => {
      await insertComposer(tx, 'bach')
      await insertPiece(tx, 'air', { bars: 0 })
    })
    const addBar = (tx: Transaction) => async () => {
      const { bars } = await onPieces(tx).selectFrom('pieces').select('bars').executeTakeFirstOrThrow()
      await onPieces(tx)
        .updateTable('pieces')
        .set({ bars: bars + 1 })
        .execute()
    }
    await Promise.all(Array.from({ length: 12 }, () => db.transaction((tx) => addBar(tx)())))
    expect(await onPieces(db.read).selectFrom('pieces').select('bars').execute()).toEqual([{ bars: 12 }])
  })

  it('serializes transactions that each decide on rows that the other one writes', async () => {
    const db = await databases.open(pieceMigrations)
    const insertIfEmpty = (id: string) =>
      db.transaction(async (tx) => {
        if ((await composerIds(tx)).length === 0) await insertComposer(tx, id)
      })
    await Promise.all(['a', 'b', 'c', 'd'].map(insertIfEmpty))
    expect(await composerIds(db.read)).toHaveLength(1)
  })

  it('refuses a transaction, read, stream or snapshot inside a transaction that does not use its tx', async () => {
    const db = await databases.open(pieceMigrations)
    const stream = async () => {
      await onPieces(db.read).selectFrom('composers').selectAll().stream().next()
    }
    const attempts: (() => Promise<unknown>)[] = [
      () => db.transaction((tx) => insertComposer(tx, 'inner')),
      () => db.exclusive(async () => {}),
      () => composerIds(db.read),
      () => stream(),
      () => db.snapshot(composerIds),
    ]
    for (const attempt of attempts) {
      await expect(db.transaction(attempt)).rejects.toThrow('inside of a transaction')
    }
    expect(await composerIds(db.read)).toEqual([])
  })

  it('refuses a statement on tx after the end of its transaction', async () => {
    const db = await databases.open(pieceMigrations)
    let ended: Transaction | undefined
    await db.transaction(async (tx) => {
      ended = tx
    })
    await expect(insertComposer(ended as Transaction, 'late')).rejects.toThrow('The transaction has ended')
  })

  it('rolls back a transaction with a value that the databases would store differently', async () => {
    const db = await databases.open(pieceMigrations)
    const write = db.transaction(async (tx) => {
      await insertComposer(tx, 'bach')
      await insertComposer(tx, 'buxtehude', true as never).catch(() => {})
    })
    await expect(write).rejects.toThrow('Value 2 of the statement is true. Flags are 0 or 1.')
    expect(await composerIds(db.read)).toEqual([])
  })

  it('runs exclusive work one after another, all or nothing', async () => {
    const db = await databases.open(pieceMigrations)
    const running: string[] = []
    const runExclusive = (id: string) =>
      db.exclusive(async (tx) => {
        running.push(`${id} begins`)
        await insertComposer(tx as unknown as Transaction, id)
        running.push(`${id} ends`)
        if (id === 'b') throw new Error('undone')
      })
    await Promise.allSettled(['a', 'b', 'c'].map(runExclusive))
    expect(running.filter((_, index) => index % 2 === 0).map((one) => one.replace('begins', 'ends'))).toEqual(
      running.filter((_, index) => index % 2 === 1),
    )
    expect(await composerIds(db.read)).toEqual(['a', 'c'])
  })
})
