import { type Kysely, sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import {
  composerIds,
  insertComposer,
  type PiecesTables,
  pieceMigrations,
} from '../../../test/support/pieces.ts'
import { compiled, type Params } from './compiled.ts'

const onPieces = (db: unknown) => db as Kysely<PiecesTables>

/** Counts slowly. */
const count = compiled(
  (db, p: Params<{ upTo: number }>) =>
    onPieces(db)
      .withRecursive('numbers(n)', (numbers) =>
        numbers
          .selectNoFrom(sql<number>`1`.as('n'))
          .unionAll(
            numbers.selectFrom('numbers').select(sql<number>`n + 1`.as('n')).where('n', '<', p('upTo')),
          ),
      )
      .selectFrom('numbers')
      .select(({ fn }) => fn.max('n').as('largest')),
  { isScan: true },
)

const scanComposers = compiled((db, _: Params<object>) => onPieces(db).selectFrom('composers').select('id'), {
  isScan: true,
})

const missing = compiled(
  (db, _: Params<object>) =>
    onPieces(db)
      .selectFrom('nowhere' as never)
      .selectAll(),
  {
    isScan: true,
  },
)

describeEachDatabase('A scan', (databases) => {
  it('does not delay other reads', async () => {
    const db = await databases.open(pieceMigrations)
    const answered: string[] = []
    const scans = Array.from({ length: 8 }, async () => {
      const rows = await count(db.read, { upTo: 200_000 })
      answered.push('scan')
      return rows
    })
    for (let read = 0; read < 8; read++) {
      await composerIds(db.read)
      answered.push('read')
    }
    expect(await Promise.all(scans)).toEqual(Array(8).fill([{ largest: 200_000 }]))
    expect(answered.slice(0, 8)).toEqual(Array(8).fill('read'))
  })

  it('sees every write that was acknowledged before, and in a transaction its own writes', async () => {
    const db = await databases.open(pieceMigrations)
    await scanComposers(db.read, {})
    for (const id of ['bach', 'corelli']) await db.transaction((tx) => insertComposer(tx, id))
    expect(await scanComposers(db.read, {})).toEqual([{ id: 'bach' }, { id: 'corelli' }])
    const inside = await db.transaction(async (tx) => {
      await insertComposer(tx, 'dowland')
      return scanComposers(tx, {})
    })
    expect(inside).toHaveLength(3)
  })

  it('is refused on db.read inside the callback of a transaction', async () => {
    const db = await databases.open(pieceMigrations)
    await expect(db.transaction(() => scanComposers(db.read, {}))).rejects.toThrow('inside of a transaction')
  })

  it('rejects with DATABASE_UNAVAILABLE after the database was closed', async () => {
    const location = await databases.migrated()
    const db = await databases.openAgain(location)
    await count(db.read, { upTo: 1 })
    await db.close()
    await expect(count(db.read, { upTo: 1 })).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  })

  it('rejects with the error of its statement, and answers the next one', async () => {
    const db = await databases.open(pieceMigrations)
    await expect(missing(db.read, {})).rejects.toThrow(/no such table|does not exist/)
    expect(await count(db.read, { upTo: 3 })).toEqual([{ largest: 3 }])
  })
})
