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
import { afterCommit } from './after-commit.ts'
import { deferredWrite } from './connection.ts'
import type { Transaction } from './database.ts'
import { migrate } from './migrate.ts'
import { openDatabase } from './open-database.ts'
import { isForeignKeyViolation, isUniqueViolation } from './violations.ts'

const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

describeEachDatabase('a database', (databases) => {
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
    const db = await databases.openAgain(await databases.location(), { durability: 'off' })
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
    const leaving = (id: string, last: string) =>
      db.transaction(async (tx) => {
        await insertComposer(tx, id)
        deferredWrite(tx, insertComposer(tx, last))
      })
    await leaving('albeniz', 'bach')
    const [violation, none] = await Promise.all([
      errorOf(leaving('undone', 'bach')),
      errorOf(leaving('cage', 'dufay')),
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

  it('runs afterCommit callbacks after the commit and before the promise of the transaction resolves', async () => {
    const db = await databases.open(pieceMigrations)
    const order: string[] = []
    const committed: Promise<string[]>[] = []
    const insert = (id: string) =>
      db.transaction(async (tx) => {
        afterCommit(tx, () => {
          order.push(`${id} first`)
          committed.push(composerIds(db.read))
        })
        await insertComposer(tx, id)
        afterCommit(tx, () => order.push(`${id} second`))
        order.push(`${id} ends`)
      })
    await Promise.all(['a', 'b'].map((id) => insert(id).then(() => order.push(`${id} resolves`))))
    for (const id of ['a', 'b']) {
      const steps = order.filter((step) => step.startsWith(id)).map((step) => step.slice(2))
      expect(steps).toEqual(['ends', 'first', 'second', 'resolves'])
    }
    expect((await Promise.all(committed)).map((ids) => ids.length)).not.toContain(0)
    expect((await composerIds(db.read)).length).toBe(2)
  })

  it('runs no afterCommit callback of a transaction that fails, but those of the other ones in its group', async () => {
    const db = await databases.open(pieceMigrations)
    const calls: string[] = []
    const insert = (id: string, end: (tx: Transaction) => unknown = () => {}) =>
      db.transaction(async (tx) => {
        afterCommit(tx, () => calls.push(id))
        await insertComposer(tx, id)
        await end(tx)
      })
    await Promise.allSettled([
      insert('a'),
      insert('throws', () => Promise.reject(new Error('mine'))),
      insert('violates', (tx) => insertComposer(tx, 'a')),
      insert('catches', (tx) => insertComposer(tx, 'a').catch(() => {})),
      insert('defers', async (tx) => deferredWrite(tx, insertComposer(tx, 'a'))),
      insert('b'),
    ])
    expect(calls).toEqual(await composerIds(db.read))
    expect(calls).toEqual(['a', 'b'])
  })

  it('logs the error of an afterCommit callback, runs the next one and resolves the transaction', async () => {
    const errors: unknown[] = []
    const location = await databases.location()
    const db = await databases.openAgain(location, { logError: (error) => errors.push(error) })
    await migrate(db, pieceMigrations)
    const error = new Error('mine')
    const calls: string[] = []
    await db.transaction(async (tx) => {
      await insertComposer(tx, 'bach')
      afterCommit(tx, () => {
        throw error
      })
      afterCommit(tx, () => calls.push('next'))
    })
    expect([errors, calls, await composerIds(db.read)]).toEqual([[error], ['next'], ['bach']])
  })

  it('allows a new transaction in an afterCommit callback', async () => {
    const db = await databases.open(pieceMigrations)
    let next: Promise<unknown> | undefined
    await db.transaction(async (tx) => {
      await insertComposer(tx, 'a')
      afterCommit(tx, () => {
        next = db.transaction((tx) => insertComposer(tx, 'b'))
      })
    })
    await next
    expect(await composerIds(db.read)).toEqual(['a', 'b'])
  })

  it('refuses an afterCommit callback outside of a transaction or after its end', async () => {
    const db = await databases.open(pieceMigrations)
    let ended: Transaction | undefined
    await db.transaction(async (tx) => {
      ended = tx
    })
    for (const target of [ended, db.read]) {
      expect(() => afterCommit(target as Transaction, () => {})).toThrow('afterCommit needs a transaction')
    }
  })

  it('refuses a deferred write outside of a transaction', async () => {
    const db = await databases.open(pieceMigrations)
    expect(() => deferredWrite(db.read as never, Promise.resolve())).toThrow(
      'deferredWrite needs a transaction',
    )
  })

  it('names the columns of a violated unique key', async () => {
    const db = await databases.open(pieceMigrations)
    await db.transaction(async (tx) => {
      await insertComposer(tx, 'bach', 'Bach')
      await insertPiece(tx, 'air', { title: 'Air' })
    })
    const error = await errorOf(db.transaction((tx) => insertComposer(tx, 'other', 'Bach')))
    expect(isUniqueViolation(error, 'composers.name')).toBe(true)
    expect(isUniqueViolation(error, 'composers.id')).toBe(false)
    const twice = await errorOf(db.transaction((tx) => insertPiece(tx, 'other', { title: 'Air' })))
    expect(isUniqueViolation(twice, 'pieces.composer')).toBe(true)
    expect(isUniqueViolation(twice, 'pieces.title')).toBe(true)
    const again = await errorOf(db.transaction((tx) => insertPiece(tx, 'air')))
    expect(isUniqueViolation(again, 'pieces.id')).toBe(true)
    expect(isForeignKeyViolation(again)).toBe(false)
  })

  it('enforces foreign keys in both directions', async () => {
    const db = await databases.open(pieceMigrations)
    const orphan = await errorOf(db.transaction((tx) => insertPiece(tx, 'air')))
    expect(isForeignKeyViolation(orphan)).toBe(true)
    expect(isUniqueViolation(orphan)).toBe(false)
    await db.transaction(async (tx) => {
      await insertComposer(tx, 'bach')
      await insertPiece(tx, 'air')
    })
    const inUse = await errorOf(db.transaction((tx) => onPieces(tx).deleteFrom('composers').execute()))
    expect(isForeignKeyViolation(inUse)).toBe(true)
  })

  it('loses no update of concurrent transactions that read and write the same row', async () => {
    const db = await databases.open(pieceMigrations)
    await db.transaction(async (tx) => {
      await insertComposer(tx, 'bach')
      await insertPiece(tx, 'air', { bars: 0 })
    })
    const lengthen = (tx: Transaction) => async () => {
      const { bars } = await onPieces(tx).selectFrom('pieces').select('bars').executeTakeFirstOrThrow()
      await onPieces(tx)
        .updateTable('pieces')
        .set({ bars: bars + 1 })
        .execute()
    }
    await Promise.all(Array.from({ length: 12 }, () => db.transaction((tx) => lengthen(tx)())))
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

  it('refuses writes through the read connection', async () => {
    const db = await databases.open(pieceMigrations)
    await expect(insertComposer(db.read as Transaction, 'a')).rejects.toThrow(/read-?only/)
    await expect(db.snapshot((snapshot) => insertComposer(snapshot as Transaction, 'a'))).rejects.toThrow(
      /read-?only/,
    )
    expect(await composerIds(db.read)).toEqual([])
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

  it('returns numbers, text and bytes as they were written', async () => {
    const db = await databases.open(pieceMigrations)
    const cover = Uint8Array.from({ length: 256 }, (_, index) => index)
    const title = 'Ærø – 奏鳴曲 𝄞 "\'\\'
    await db.transaction(async (tx) => {
      await insertComposer(tx, 'bach')
      await insertPiece(tx, 'a', { title, bars: Number.MAX_SAFE_INTEGER, tempo: 0.1, cover })
      await insertPiece(tx, 'b', { title: '', bars: -1, tempo: -1e300, cover: new Uint8Array() })
    })
    const [a, b] = await onPieces(db.read).selectFrom('pieces').selectAll().orderBy('id').execute()
    expect({ ...a, cover: new Uint8Array(a?.cover ?? []) }).toEqual({
      id: 'a',
      composer: 'bach',
      title,
      bars: Number.MAX_SAFE_INTEGER,
      tempo: 0.1,
      cover,
    })
    expect({ ...b, cover: b?.cover?.length }).toMatchObject({ title: '', bars: -1, tempo: -1e300, cover: 0 })
  })

  it('returns counts and sums as numbers', async () => {
    const db = await databases.open(pieceMigrations)
    await db.transaction(async (tx) => {
      await insertComposer(tx, 'bach')
      await insertPiece(tx, 'a')
      await insertPiece(tx, 'b')
    })
    const totals = onPieces(db.read)
      .selectFrom('pieces')
      .select(({ fn }) => [
        fn.countAll<number>().as('count'),
        fn.sum<number>('bars').as('sum'),
        fn.avg<number>('bars').as('mean'),
      ])
    expect(await totals.execute()).toEqual([{ count: 2, sum: 16, mean: 8 }])
  })

  it('orders keys byte by byte', async () => {
    const db = await databases.open(pieceMigrations)
    const ids = ['a', 'B', 'é', 'Z', '_', 'ä', '𝄞', '~', 'a b', 'ab']
    await db.transaction(async (tx) => {
      for (const id of ids) await insertComposer(tx, id)
    })
    const bytewise = [...ids].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
    expect(await composerIds(db.read)).toEqual(bytewise)
  })

  it('returns the number of rows that a write changed', async () => {
    const db = await databases.open(pieceMigrations)
    const results = await db.transaction(async (tx) => {
      for (const id of ['a', 'b', 'c']) await insertComposer(tx, id)
      const rename = (id: string) =>
        onPieces(tx)
          .updateTable('composers')
          .set({ name: `${id}!` })
          .where('id', '>=', id)
          .executeTakeFirstOrThrow()
      return [await rename('c'), await rename('x')]
    })
    expect(results.map(({ numUpdatedRows }) => numUpdatedRows)).toEqual([1n, 0n])
  })

  it('streams a consistent state while other callers write and a caller reads its own writes', async () => {
    const db = await databases.open(pieceMigrations)
    await db.transaction(async (tx) => {
      for (let n = 100; n < 200; n++) await insertComposer(tx, `${n}`)
    })
    const streamed: string[] = []
    for await (const { id } of onPieces(db.read)
      .selectFrom('composers')
      .selectAll()
      .orderBy('id')
      .stream(7)) {
      streamed.push(id)
      if (streamed.length % 10 > 0) continue
      await db.transaction((tx) => insertComposer(tx, `2${id}`))
      expect((await composerIds(db.read)).at(-1)).toBe(`2${id}`)
    }
    expect(streamed).toEqual(Array.from({ length: 100 }, (_, n) => `${n + 100}`))
  })

  it('allows a stream to be left early, and passes on its errors', async () => {
    const db = await databases.open(pieceMigrations)
    await db.transaction(async (tx) => {
      for (let n = 100; n < 200; n++) await insertComposer(tx, `${n}`)
    })
    for (let time = 0; time < 30; time++) {
      for await (const { id } of onPieces(db.read)
        .selectFrom('composers')
        .selectAll()
        .orderBy('id')
        .stream(5)) {
        expect(id).toBe('100')
        break
      }
    }
    const broken = onPieces(db.read)
      .selectFrom('composers')
      .select(({ ref }) => ref('nowhere' as never).as('x'))
      .stream()
    await expect(broken.next()).rejects.toThrow('nowhere')
    await db.transaction((tx) => insertComposer(tx, 'after'))
  })

  it('shows one consistent state throughout a snapshot', async () => {
    const db = await databases.open(pieceMigrations)
    const results = await db.snapshot(async (snapshot) => {
      const before = await composerIds(snapshot)
      await db.transaction((tx) => insertComposer(tx, 'bach'))
      const streamed: unknown[] = []
      for await (const row of onPieces(snapshot).selectFrom('composers').selectAll().stream())
        streamed.push(row)
      return [before, await composerIds(snapshot), streamed]
    })
    expect(results).toEqual([[], [], []])
    expect(await composerIds(db.read)).toEqual(['bach'])
  })

  it('runs exclusive work one after another, all or nothing', async () => {
    const db = await databases.open(pieceMigrations)
    const running: string[] = []
    const exclusive = (id: string) =>
      db.exclusive(async (tx) => {
        running.push(`${id} begins`)
        await insertComposer(tx as unknown as Transaction, id)
        running.push(`${id} ends`)
        if (id === 'b') throw new Error('undone')
      })
    await Promise.allSettled(['a', 'b', 'c'].map(exclusive))
    expect(running.filter((_, index) => index % 2 === 0).map((one) => one.replace('begins', 'ends'))).toEqual(
      running.filter((_, index) => index % 2 === 1),
    )
    expect(await composerIds(db.read)).toEqual(['a', 'c'])
  })

  it('answers until it is closed, and waits for running transactions', async () => {
    const location = await databases.location()
    const db = await openDatabase(location)
    await migrate(db, pieceMigrations)
    await db.ping()
    const last = db.transaction((tx) => insertComposer(tx, 'bach'))
    await db.close()
    await last
    await db.close()
    const late = [
      () => db.transaction((tx) => insertComposer(tx, 'late')),
      () => composerIds(db.read),
      () => db.ping(),
    ]
    for (const attempt of late)
      await expect(attempt()).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
    expect(await composerIds((await databases.openAgain(location)).read)).toEqual(['bach'])
  })
})
