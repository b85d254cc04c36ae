import { expect, it } from 'vitest'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import {
  composerIds,
  insertComposer,
  insertPiece,
  onPieces,
  pieceMigrations,
} from '../../../test/support/pieces.ts'
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

  it('reports the size of each group, its connections and what waits for them', async () => {
    const sizes: number[] = []
    const onGroup = (transactions: number) => sizes.push(transactions)
    const db = await databases.openAgain(await databases.location(), { onGroup })
    await migrate(db, pieceMigrations)
    sizes.length = 0
    const names = ['bach', 'haydn', 'ravel']
    const writes = names.map((name) => db.transaction((tx) => insertComposer(tx, name)))
    expect(db.stats().waitingTransactions).toBe(3)
    await Promise.all(writes)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(3)
    expect(sizes.length).toBeLessThan(3)
    const reads = names.map(() => composerIds(db.read))
    const { pendingReads, connections } = db.stats()
    expect(pendingReads).toBe(databases.dialect === 'postgres' ? 3 : 0)
    expect(connections.busy).toBeLessThanOrEqual(connections.open)
    await Promise.all(reads)
    expect(db.stats()).toMatchObject({ pendingReads: 0, waitingTransactions: 0, connections: { busy: 0 } })
  })

  it('refuses writes through the read connection', async () => {
    const db = await databases.open(pieceMigrations)
    await expect(insertComposer(db.read as Transaction, 'a')).rejects.toThrow(/read-?only/)
    await expect(db.snapshot((snapshot) => insertComposer(snapshot as Transaction, 'a'))).rejects.toThrow(
      /read-?only/,
    )
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
