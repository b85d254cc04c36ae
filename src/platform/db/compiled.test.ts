import { type Kysely, sql } from 'kysely'
import { expect, expectTypeOf, it } from 'vitest'
import { describeEachDatabase } from '../../../test/support/databases.ts'
import {
  insertComposer,
  insertPiece,
  type PiecesTables,
  pieceMigrations,
} from '../../../test/support/pieces.ts'
import { planOf } from '../../../test/support/query-plans.ts'
import { compiled, type Params } from './compiled.ts'
import type { Queries, Transaction } from './database.ts'
import { type Migration, migrate } from './migrate.ts'

const onPieces = (db: unknown) => db as Kysely<PiecesTables>

const findPiece = compiled((db, p: Params<{ id: string; least: number }>) =>
  onPieces(db)
    .selectFrom('pieces')
    .select(['id', 'bars'])
    .where('id', '=', p('id'))
    .where('bars', '>=', p('least')),
)

const listPieces = compiled((db, p: Params<{ ids: readonly string[]; limit: number }>) =>
  onPieces(db).selectFrom('pieces').select('id').where(p.isIn('id', 'ids')).orderBy('id').limit(p('limit')),
)

const addBars = compiled((db, p: Params<{ id: string; by: number }>) =>
  onPieces(db)
    .updateTable('pieces')
    .set(({ eb }) => ({ bars: eb('bars', '+', p('by')) }))
    .where('id', '=', p('id')),
)

const everyComposer = compiled((db, _: Params<object>) => onPieces(db).selectFrom('composers').selectAll())

const addComposer = compiled((db, p: Params<{ id: string }>) =>
  onPieces(db)
    .insertInto('composers')
    .values({ id: p('id'), name: 'N. N.' })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id'),
)

const packedPiece = compiled((db, p: Params<{ id: string }>) =>
  onPieces(db)
    .selectFrom('pieces')
    .select(p.packed(['pieces.id', 'title', 'bars', 'tempo']).as('packed'))
    .where('id', '=', p('id')),
)

describeEachDatabase('a compiled query', (databases) => {
  async function library() {
    const db = await databases.open(pieceMigrations)
    await db.transaction(async (tx) => {
      await insertComposer(tx, 'bach')
      for (const id of ['air', 'badinerie', "can't"]) await insertPiece(tx, id, { bars: id.length })
    })
    return db
  }

  it('returns the rows for the values of each run', async () => {
    const db = await library()
    expect(await findPiece(db.read, { id: 'air', least: 3 })).toEqual([{ id: 'air', bars: 3 }])
    expect(await findPiece(db.read, { id: 'air', least: 4 })).toEqual([])
    expect(await findPiece(db.read, { id: "can't", least: 0 })).toEqual([{ id: "can't", bars: 5 }])
  })

  it('takes lists of any length, including empty ones', async () => {
    const db = await library()
    const ids = async (...wanted: string[]) =>
      (await listPieces(db.read, { ids: wanted, limit: 2 })).map(({ id }) => id)
    expect(await ids()).toEqual([])
    expect(await ids('badinerie', 'none', 'air')).toEqual(['air', 'badinerie'])
    expect(await ids("can't", 'badinerie', 'air')).toEqual(['air', 'badinerie'])
    expect(await ids(...Array.from({ length: 2000 }, (_, n) => `"${n}'`), "can't")).toEqual(["can't"])
  })

  it('uses an index of the rows that a constant selects', async () => {
    const partial: Migration = {
      name: '900-partial',
      async up({ db }) {
        await sql`create index long_pieces on pieces (title) where bars > 4`.execute(db)
      },
    }
    const db = await databases.open([...pieceMigrations, partial])
    const longPieces = compiled((queries, p: Params<{ title: string }>) =>
      onPieces(queries)
        .selectFrom('pieces')
        .select('id')
        .where('title', '=', p('title'))
        .where('bars', '>', 4),
    )
    const plan = await planOf(db.read, (queries) => longPieces(queries, { title: 'Air' }))
    expect(plan.join()).toContain('long_pieces')
  })

  it('runs in a transaction, in a snapshot and outside of them', async () => {
    const db = await library()
    const inside = await db.transaction(async (tx) => {
      await addBars(tx, { id: 'air', by: 10 })
      return findPiece(tx, { id: 'air', least: 0 })
    })
    expect(inside).toEqual([{ id: 'air', bars: 13 }])
    expect(await db.snapshot((snapshot) => findPiece(snapshot, { id: 'air', least: 0 }))).toEqual(inside)
  })

  it('returns the number of written rows, or the rows of `returning`', async () => {
    const db = await library()
    const written = await db.transaction(async (tx) => [
      await addBars(tx, { id: 'air', by: 1 }),
      await addBars(tx, { id: 'none', by: 1 }),
      await addComposer(tx, { id: 'anonymous' }),
      await addComposer(tx, { id: 'bach' }),
    ])
    expect(written).toEqual([1, 0, [{ id: 'anonymous' }], []])
  })

  it('packs columns into one text that reads the same on both databases', async () => {
    const db = await library()
    const title = 'An "air",\n for \\ \u{1d11e} and ’'
    const bars = Number.MAX_SAFE_INTEGER
    await db.transaction((tx) => insertPiece(tx, 'packed', { title, bars }))
    const [row] = await packedPiece(db.read, { id: 'packed' })
    expect(JSON.parse(row?.packed ?? '')).toEqual(['packed', title, bars, null])
  })

  it('refuses a missing value', async () => {
    const db = await library()
    await expect(findPiece(db.read, { id: 'air' } as never)).rejects.toThrow(
      'Value 2 of the statement is undefined',
    )
  })

  it('keeps working after another process has changed its table', async () => {
    const location = await databases.location()
    const db = await databases.openAgain(location)
    await migrate(db, pieceMigrations)
    await db.transaction((tx) => insertComposer(tx, 'bach'))
    const inTransaction = () => db.transaction((tx) => everyComposer(tx, {}))
    const runs = () =>
      Promise.all([...Array.from({ length: 8 }, () => everyComposer(db.read, {})), inTransaction()])
    expect(await runs()).toEqual(Array(9).fill([{ id: 'bach', name: 'bach' }]))

    const other = await databases.openAgain(location)
    await other.exclusive((tx) => tx.schema.alterTable('composers').addColumn('born', 'integer').execute())
    expect(await runs()).toEqual(Array(9).fill([{ id: 'bach', name: 'bach', born: null }]))
  })

  it('runs many times concurrently', async () => {
    const db = await library()
    const results = await Promise.all(
      Array.from({ length: 500 }, (_, n) =>
        findPiece(db.read, { id: n % 2 ? 'air' : 'badinerie', least: 0 }),
      ),
    )
    expect(results.map(([piece]) => piece?.bars)).toEqual(results.map((_, n) => (n % 2 ? 3 : 9)))
  })
})

it('has the types of its query builder', () => {
  expectTypeOf(findPiece).parameters.toEqualTypeOf<[Queries, { id: string; least: number }]>()
  expectTypeOf(findPiece).returns.resolves.toEqualTypeOf<{ id: string; bars: number }[]>()
  expectTypeOf(addBars).parameters.toEqualTypeOf<[Transaction, { id: string; by: number }]>()
  expectTypeOf(addBars).returns.resolves.toEqualTypeOf<number>()
  expectTypeOf(addComposer).returns.resolves.toEqualTypeOf<{ id: string }[]>()
})
