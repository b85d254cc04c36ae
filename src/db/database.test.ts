import type { Kysely } from 'kysely'
import { expect, it } from 'vitest'
import { describeEachDatabase } from '../../test/support/databases.ts'
import { compiled, type Params } from './compiled.ts'
import type { Queries, Transaction } from './database.ts'
import type { Migration } from './migrate.ts'
import { isUniqueViolation } from './violations.ts'

interface TestTables {
  pieces: { id: string; title: string; bars: number }
}

const pieces: Migration = {
  name: '001-pieces',
  async up({ createTable, types }) {
    await createTable('pieces')
      .addColumn('id', types.key, (column) => column.primaryKey())
      .addColumn('title', types.text, (column) => column.notNull().unique())
      .addColumn('bars', types.integer, (column) => column.notNull())
      .execute()
  },
}

const on = (queries: Queries | Transaction) => queries as unknown as Kysely<TestTables>

const findPiece = compiled((db, p: Params<{ id: string }>) =>
  (db as unknown as Kysely<TestTables>).selectFrom('pieces').selectAll().where('id', '=', p('id')),
)
const findPieces = compiled((db, p: Params<{ ids: readonly string[] }>) =>
  (db as unknown as Kysely<TestTables>)
    .selectFrom('pieces')
    .select('id')
    .where('id', 'in', p.list('ids'))
    .orderBy('id'),
)
const lengthen = compiled((db, p: Params<{ id: string; bars: number }>) =>
  (db as unknown as Kysely<TestTables>)
    .updateTable('pieces')
    .set({ bars: p('bars') })
    .where('id', '=', p('id')),
)

describeEachDatabase('a database', (databases) => {
  it('shows a transaction to its caller as soon as it is answered', async () => {
    const db = await databases.open([pieces])
    await db.transaction((tx) => on(tx).insertInto('pieces').values({ id: 'a', title: 'Air', bars: 8 }).execute())
    expect(await findPiece(db.read, { id: 'a' })).toEqual([{ id: 'a', title: 'Air', bars: 8 }])
    expect(
      await on(db.read)
        .selectFrom('pieces')
        .select((eb) => eb.fn.countAll<number>().as('n'))
        .execute(),
    ).toEqual([{ n: 1 }])
  })

  it('runs compiled queries with lists and tells how many rows a write changed', async () => {
    const db = await databases.open([pieces])
    const changed = await db.transaction(async (tx) => {
      for (const id of ['a', 'b', 'c']) await on(tx).insertInto('pieces').values({ id, title: id, bars: 8 }).execute()
      return [await lengthen(tx, { id: 'b', bars: 9 }), await lengthen(tx, { id: 'x', bars: 9 })]
    })
    expect(changed).toEqual([1, 0])
    expect(await findPieces(db.read, { ids: ['c', 'a', 'z'] })).toEqual([{ id: 'a' }, { id: 'c' }])
    expect(await findPieces(db.read, { ids: [] })).toEqual([])
  })

  it('keeps nothing of a transaction in which a statement failed, even if that was caught', async () => {
    const db = await databases.open([pieces])
    const insert = (tx: Transaction, id: string) =>
      on(tx).insertInto('pieces').values({ id, title: 'Air', bars: 8 }).execute()
    const error = await db
      .transaction(async (tx) => {
        await insert(tx, 'a')
        await insert(tx, 'b').catch(() => {})
      })
      .catch((error: unknown) => error)
    expect(isUniqueViolation(error)).toBe(true)
    expect(isUniqueViolation(error, 'pieces.title')).toBe(true)
    expect(isUniqueViolation(error, 'pieces.id')).toBe(false)
    expect(await findPiece(db.read, { id: 'a' })).toEqual([])
  })
})
