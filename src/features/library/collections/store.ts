import { type Expression, type RawBuilder, sql } from 'kysely'
import { second } from '../../../lib/durations.ts'
import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import { insertion } from '../../../platform/db/insertion.ts'
import type { CollectionsTable } from '../../../platform/db/score-tables.ts'
import type { CollectedScore } from '../scores/collection-scores.store.ts'
import { collectionAccessRank } from '../scores/access.store.ts'
import { ownerIn, type OwnerRow } from '../scores/store.ts'

/**
 * A collection with the name of its app, the rank of the viewer's access, and the columns of the owner that
 * restrict it.
 */
export type CollectionRow = CollectionsTable & {
  app_name: string | null
  access: number | null
  owner_created_at: number
} & Omit<OwnerRow, 'id' | 'created_at'>

/** Returns the owner of a collection. */
export const ownerOf = (collection: CollectionRow): OwnerRow => ownerIn(collection, collection.user_id)

/**
 * The value of the column `app` for the collection of an app. All personal tokens of a user share one
 * collection.
 */
export const appKey = (app: string | undefined): string => app ?? 'personal'

const appCollection = compiled((db, p: Params<{ user: string; app: string }>) =>
  db
    .selectFrom('collections')
    .select('id')
    .where('user_id', '=', p('user'))
    .where('app', '=', p('app'))
    .where('deletion_at', 'is', null),
)

export async function findAppCollection(
  queries: Queries,
  user: string,
  app: string,
): Promise<string | undefined> {
  const [collection] = await appCollection(queries, { user, app })
  return collection?.id
}

export const insertCollection: (tx: Transaction, row: CollectionsTable) => Promise<number> = insertion(
  'collections',
  {
    orIgnore: true,
  },
)

/** Adds a new score to its owner's collection of an app. Returns no row if the collection does not exist. */
export const insertIntoAppCollection = compiled((db, p: Params<CollectedScore & { app: string }>) =>
  db
    .insertInto('collection_scores')
    .columns([
      'collection_id',
      'score_id',
      'trashed',
      'title_key',
      'composer_key',
      'duration',
      'created_at',
      'modified_at',
      'added_by',
    ])
    .expression((eb) =>
      eb
        .selectFrom('collections')
        .where('user_id', '=', p('owner_id'))
        .where('app', '=', p('app'))
        .where('deletion_at', 'is', null)
        .select(({ cast, val }) => [
          'id as collection_id',
          cast<string>(p('id'), 'text').as('score_id'),
          val(0).as('trashed'),
          cast<string>(p('title_key'), 'text').as('title_key'),
          cast<string>(p('composer_key'), 'text').as('composer_key'),
          cast<number>(p('duration'), 'double precision').as('duration'),
          cast<number>(p('created_at'), 'bigint').as('created_at'),
          cast<number>(p('modified_at'), 'bigint').as('modified_at'),
          'user_id as added_by',
        ]),
    )
    .returning('collection_id'),
)

/** Returns the display name of an app. */
export async function findAppName(queries: Queries, app: string): Promise<string | undefined> {
  const row = await queries.selectFrom('apps').select('name').where('id', '=', app).executeTakeFirst()
  return row?.name
}

const updateAppCollection = compiled(
  (db, p: Params<{ user: string; app: string; now: number; before: number }>) =>
    db
      .updateTable('collections')
      .set({ modified_at: p('now') })
      .where('user_id', '=', p('user'))
      .where('app', '=', p('app'))
      .where('deletion_at', 'is', null)
      .where('modified_at', '<', p('before')),
)

/** The accuracy of the modification date of the collection of an app, in milliseconds. */
const touchInterval = second

/**
 * Sets the modification date of the collection of an app that has received a score. A second change within a second does not write it
 * again: otherwise, an import of many scores leaves so many versions of the row that PostgreSQL is slow to find the last one.
 */
export const touchAppCollection = (
  tx: Transaction,
  { now, ...collection }: { user: string; app: string; now: number },
): Promise<number> => updateAppCollection(tx, { ...collection, now, before: now - touchInterval })

/** Selects collections with the columns that every response needs. All queries for collections start here. */
export const selectCollections = (db: Pick<Queries, 'selectFrom'>, viewer: Expression<string>) =>
  selectAccessible(db, collectionAccessRank(viewer))

/** @param access the rank of the viewer's access */
function selectAccessible(db: Pick<Queries, 'selectFrom'>, access: RawBuilder<number | null>) {
  return db
    .selectFrom('collections')
    .innerJoin('users as owner', 'owner.id', 'collections.user_id')
    .leftJoin('organizations', 'organizations.id', 'owner.organization_id')
    .where('owner.deletion_at', 'is', null)
    .leftJoin('apps', 'apps.id', 'collections.app')
    .select([
      'collections.id',
      'collections.user_id',
      'collections.type',
      'collections.app',
      'collections.title',
      'collections.title_key',
      'collections.is_pinned',
      'collections.created_at',
      'collections.modified_at',
      'collections.grants',
      'collections.deletion_at',
      'apps.name as app_name',
      'owner.username',
      'owner.firstname',
      'owner.lastname',
      'owner.created_at as owner_created_at',
      'owner.organization_id',
      'owner.organization_role',
      'owner.picture_id',
      'organizations.allows_public_scores',
    ])
    .select(access.as('access'))
}

const collectionById = compiled((db, p: Params<{ id: string; viewer: string }>) =>
  selectCollections(db, p('viewer')).where('collections.id', '=', p('id')),
)

const collectionOfApp = compiled((db, p: Params<{ user: string; app: string }>) =>
  selectAccessible(db, sql<number | null>`null`)
    .where('collections.user_id', '=', p('user'))
    .where('collections.app', '=', p('app'))
    .where('collections.deletion_at', 'is', null),
)

/** Finds the collection of an app that is not in the trash, for the user who owns it. */
export async function findCollectionOfApp(
  queries: Queries,
  by: { user: string; app: string },
): Promise<CollectionRow | undefined> {
  const [collection] = await collectionOfApp(queries, by)
  return collection
}

export async function findCollection(
  queries: Queries,
  by: { id: string; viewer: string },
): Promise<CollectionRow | undefined> {
  const [collection] = await collectionById(queries, by)
  return collection
}

export type CollectionChange = Pick<CollectionsTable, 'title' | 'title_key' | 'is_pinned' | 'modified_at'>

export async function updateCollection(tx: Transaction, id: string, change: CollectionChange): Promise<void> {
  await tx.updateTable('collections').set(change).where('id', '=', id).execute()
}

/** Moves a collection into the trash. A collection that is already there keeps its deletion date. */
export async function updateDeletionAt(tx: Transaction, id: string, deletionAt: number): Promise<void> {
  await tx
    .updateTable('collections')
    .set({ deletion_at: deletionAt })
    .where('id', '=', id)
    .where('deletion_at', 'is', null)
    .execute()
}

const scoreCounts = compiled((db, p: Params<{ collections: readonly string[] }>) =>
  db
    .selectFrom('collection_scores')
    .where(p.isIn('collection_id', 'collections'))
    .where('trashed', '=', 0)
    .groupBy('collection_id')
    .select((eb) => ['collection_id', eb.fn.countAll<number>().as('count')]),
)

/** Returns the number of scores outside of the trash by collection id. Collections without such scores are not in the map. */
export async function countScoresIn(
  queries: Queries,
  collections: readonly string[],
): Promise<Map<string, number>> {
  const rows = collections.length > 0 ? await scoreCounts(queries, { collections }) : []
  return new Map(rows.map(({ collection_id, count }) => [collection_id, count]))
}

/** Maximum number of ids in the response for the trash. `GET /collections?parent=trash` lists all of them. */
const maxTrashedIds = 1000

/** Lists the ids of a user's collections in the trash, newest first. */
export async function listTrashedIds(queries: Queries, user: string): Promise<string[]> {
  const rows = await queries
    .selectFrom('collections')
    .where('user_id', '=', user)
    .where('deletion_at', 'is not', null)
    .select('id')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxTrashedIds)
    .execute()
  return rows.map(({ id }) => id)
}

/** Deletes all collections of a user. The scores in them are kept. */
export async function deleteCollectionsOf(tx: Transaction, user: string): Promise<void> {
  await tx.deleteFrom('collections').where('user_id', '=', user).execute()
}

/** Deletes a collection if its `deletion_at` is at most `dueBy`, in milliseconds. */
export async function deleteDueCollection(
  tx: Transaction,
  due: { id: string; dueBy: number },
): Promise<void> {
  await tx.deleteFrom('collections').where('id', '=', due.id).where('deletion_at', '<=', due.dueBy).execute()
}
