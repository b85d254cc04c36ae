import { compiled, type Params } from '../../db/compiled.ts'
import type { Queries, Transaction } from '../../db/database.ts'
import { insertion } from '../../db/insertion.ts'
import type { CollectionsTable } from '../../db/tables.ts'
import { atOnce } from '../scores/store.ts'

/** A collection with its app's name. */
export type CollectionRow = CollectionsTable & { app_name: string | null }

/** Which collection of a user takes the scores of an app; personal tokens share one. */
export const appKey = (app: string | undefined): string => app ?? 'personal'

const appCollection = compiled((db, p: Params<{ user: string; app: string }>) =>
  db.selectFrom('collections').select('id').where('user_id', '=', p('user')).where('app', '=', p('app')),
)

export async function findAppCollection(queries: Queries, user: string, app: string): Promise<string | undefined> {
  const [collection] = await appCollection(queries, { user, app })
  return collection?.id
}

export const insertCollection: (tx: Transaction, row: CollectionsTable) => Promise<number> = insertion('collections', {
  orIgnore: true,
})

/** The name under which an app is known. */
export async function findAppName(queries: Queries, app: string): Promise<string | undefined> {
  const row = await queries.selectFrom('apps').select('name').where('id', '=', app).executeTakeFirst()
  return row?.name
}

/** Collections with what every answer with one needs: where every query for them begins. */
export function selectCollections(db: Pick<Queries, 'selectFrom'>) {
  return db
    .selectFrom('collections')
    .leftJoin('apps', 'apps.id', 'collections.app')
    .select([
      'collections.id',
      'collections.user_id',
      'collections.type',
      'collections.app',
      'collections.title',
      'collections.title_key',
      'collections.created_at',
      'collections.modified_at',
      'apps.name as app_name',
    ])
}

const collectionById = compiled((db, p: Params<{ id: string }>) =>
  selectCollections(db).where('collections.id', '=', p('id')),
)

export async function findCollection(queries: Queries, id: string): Promise<CollectionRow | undefined> {
  const [collection] = await collectionById(queries, { id })
  return collection
}

const countsIn = compiled((db, p: Params<{ collections: readonly string[] }>) =>
  db
    .selectFrom('collection_scores')
    .where('collection_id', 'in', p.list('collections'))
    .where('trashed', '=', 0)
    .groupBy('collection_id')
    .select((eb) => ['collection_id', eb.fn.countAll<number>().as('count')]),
)

/** How many scores collections show, by their ids; one that is empty is not in it. */
export async function countScoresIn(queries: Queries, collections: readonly string[]): Promise<Map<string, number>> {
  const rows = collections.length > 0 ? await countsIn(queries, { collections }) : []
  return new Map(rows.map(({ collection_id, count }) => [collection_id, count]))
}

const countsOfOwner = compiled((db, p: Params<{ owner: string }>) =>
  db
    .selectFrom('scores')
    .where('owner_id', '=', p('owner'))
    .where((eb) => eb.or([eb('deletion_at', 'is', null), eb('deletion_at', '!=', atOnce)]))
    .groupBy('trashed')
    .select((eb) => ['trashed', eb.fn.countAll<number>().as('count')]),
)

/** How many scores a user has, and how many in the trash; those that only wait to be deleted are gone. */
export async function countScoresOf(queries: Queries, owner: string): Promise<{ all: number; trashed: number }> {
  const rows = await countsOfOwner(queries, { owner })
  const countOf = (trashed: 0 | 1) => rows.find((row) => row.trashed === trashed)?.count ?? 0
  return { all: countOf(0), trashed: countOf(1) }
}
