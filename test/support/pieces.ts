import type { Kysely } from 'kysely'
import type { Queries, Transaction } from '../../src/platform/db/database.ts'
import type { Migration } from '../../src/platform/db/migrate.ts'

/** Two tables for the tests of the database layer, independent of the application's tables. */
export interface PiecesTables {
  composers: { id: string; name: string }
  pieces: {
    id: string
    composer: string
    title: string
    bars: number
    tempo: number | null
    cover: Uint8Array | null
  }
}

export const pieceMigrations: readonly Migration[] = [
  {
    name: '001-composers',
    async up({ createTable, types }) {
      await createTable('composers')
        .addColumn('id', types.key, (column) => column.primaryKey())
        .addColumn('name', types.key, (column) => column.notNull())
        .addUniqueConstraint('composers_name', ['name'])
        .execute()
    },
  },
  {
    name: '002-pieces',
    async up({ createTable, types }) {
      await createTable('pieces')
        .addColumn('id', types.key, (column) => column.primaryKey())
        .addColumn('composer', types.key, (column) => column.notNull().references('composers.id'))
        .addColumn('title', types.text, (column) => column.notNull())
        .addColumn('bars', types.integer, (column) => column.notNull())
        .addColumn('tempo', types.real)
        .addColumn('cover', types.bytes)
        .addUniqueConstraint('pieces_composer_title', ['composer', 'title'])
        .execute()
    },
  },
]

/** Returns a query builder for the test tables. It is read-only if `queries` is. */
export function onPieces(
  queries: Transaction,
): Pick<Kysely<PiecesTables>, 'selectFrom' | 'insertInto' | 'updateTable' | 'deleteFrom'>
export function onPieces(queries: Queries): Pick<Kysely<PiecesTables>, 'selectFrom'>
export function onPieces(queries: Queries): never {
  return queries as never
}

export function insertComposer(tx: Transaction, id: string, name = id) {
  return onPieces(tx).insertInto('composers').values({ id, name }).execute()
}

export function insertPiece(tx: Transaction, id: string, fields: Partial<PiecesTables['pieces']> = {}) {
  const piece = { id, composer: 'bach', title: id, bars: 8, tempo: null, cover: null, ...fields }
  return onPieces(tx).insertInto('pieces').values(piece).execute()
}

export async function composerIds(queries: Queries): Promise<string[]> {
  const rows = await onPieces(queries).selectFrom('composers').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}
