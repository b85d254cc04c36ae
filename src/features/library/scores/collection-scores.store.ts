import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import { idList } from '../../../platform/db/expressions.ts'
import { insertion } from '../../../platform/db/insertion.ts'
import type { ScoresTable } from '../../../platform/db/score-tables.ts'
import type { Tables } from '../../../platform/db/tables.ts'
import { isReachable, type ListViewer, type ViewerInQuery } from './access.store.ts'

/** The key of one score in one collection. */
export interface CollectionEntryKey {
  collection: string
  score: string
}

/** The columns by which lists of scores are sorted, and which change. */
export type SortKeys = Pick<ScoresTable, 'title_key' | 'composer_key' | 'duration' | 'modified_at'>

/** The columns of a score that are copied to each of its collection entries. */
export type CollectedScore = Pick<ScoresTable, 'id' | 'owner_id' | 'created_at' | keyof SortKeys>

/** Sets the modification date of a collection whose scores change. */
const touchCollection = compiled((db, p: Params<{ collection: string; now: number }>) =>
  db
    .updateTable('collections')
    .set({ modified_at: p('now') })
    .where('id', '=', p('collection')),
)

/** Sets the modification date of the collections that a score leaves or returns to: all of them, or those of `owner`. */
export async function touchCollectionsOf(
  tx: Transaction,
  score: string,
  { now, owner }: { now: number; owner?: string },
): Promise<void> {
  await tx
    .updateTable('collections')
    .set({ modified_at: now })
    .where('id', 'in', (eb) =>
      eb.selectFrom('collection_scores').where('score_id', '=', score).select('collection_id'),
    )
    .$if(owner !== undefined, (query) => query.where('user_id', '=', owner as string))
    .execute()
}

/**
 * Adds a score to a collection. If the score is already in the collection, the entry is updated only when
 * `by` is the user who added it, or the owner of the score. The owner becomes the adding user.
 * @param by the id of the user who adds the score
 * @param key the sharing key that opened the score for that user
 * @param now the new modification date of the collection
 */
export async function addToCollection(
  tx: Transaction,
  collection: string,
  score: CollectedScore,
  { by, key, now }: { by: string; key: string | null; now: number },
): Promise<void> {
  const { title_key, composer_key, duration, created_at, modified_at } = score
  await touchCollection(tx, { collection, now })
  const isNew = await insertCollectionScore(tx, {
    collection_id: collection,
    score_id: score.id,
    trashed: 0,
    title_key,
    composer_key,
    duration,
    created_at,
    modified_at,
    added_by: by,
    sharing_key: key,
  })
  if (isNew) return
  await tx
    .updateTable('collection_scores')
    .set({ added_by: by, sharing_key: key })
    .where('collection_id', '=', collection)
    .where('score_id', '=', score.id)
    .$if(by !== score.owner_id, (query) => query.where('added_by', '=', by))
    .execute()
}

/**
 * Returns the id of the user who added the score to the collection, or undefined if the score is not in it.
 */
export async function findAddedBy(
  queries: Queries,
  { collection, score }: CollectionEntryKey,
): Promise<string | undefined> {
  const row = await queries
    .selectFrom('collection_scores')
    .select('added_by')
    .where('collection_id', '=', collection)
    .where('score_id', '=', score)
    .executeTakeFirst()
  return row?.added_by
}

export async function deleteFromCollection(
  tx: Transaction,
  { collection, score }: CollectionEntryKey,
  now: number,
): Promise<void> {
  await touchCollection(tx, { collection, now })
  await tx
    .deleteFrom('collection_scores')
    .where('collection_id', '=', collection)
    .where('score_id', '=', score)
    .execute()
}

/**
 * Selects the ids of the collections that other users have shared with the viewer, without those in the trash. The `coalesce` keeps
 * the planner from an index of all collections outside of the trash, which it believes to be few.
 */
export function sharedCollectionIds(
  { viewer, organization }: ViewerInQuery,
  { isIn }: Pick<Params<object>, 'isIn'>,
) {
  const granted = sql`(
    select collection_id from grants where user_id = ${viewer} and collection_id is not null
    union all
    select grants.collection_id from group_members inner join grants on grants.group_id = group_members.group_id
      where group_members.user_id = ${viewer} and grants.collection_id is not null)`
  return sql<string>`(
    select shared.id from collections as shared
      inner join users as owner on owner.id = shared.user_id
      left join organizations on organizations.id = owner.organization_id
      where ${isIn('shared.id', granted)} and coalesce(shared.deletion_at, 0) = 0
        and ${isReachable({ organization })})`
}

/** SQL condition for whether the collection of the query belongs to the viewer or is shared with the viewer. */
const isShown = ({ viewer, organization }: ViewerInQuery) => sql<SqlBool>`(
    collections.user_id = ${viewer} or (
      (
        exists (select 1 from grants where collection_id = collections.id and user_id = ${viewer})
        or exists (
          select 1 from grants inner join group_members on group_members.group_id = grants.group_id
            where grants.collection_id = collections.id and group_members.user_id = ${viewer}
        )
      )
      and exists (
        select 1 from users as owner left join organizations on organizations.id = owner.organization_id
          where owner.id = collections.user_id and ${isReachable({ organization })}
      )
    ))`

/**
 * SQL condition for whether the viewer sees the collection of the entry `holding` of the outer query. It is a scalar subquery. The
 * query planner cannot turn it into a join that starts from all collections of the viewer, which would be slow. The `coalesce` is
 * explained at `sharedCollectionIds`.
 */
const isShownHolding = (by: ViewerInQuery) =>
  sql<SqlBool>`(select ${isShown(by)} from collections
    where collections.id = holding.collection_id and coalesce(collections.deletion_at, 0) = 0)`

/**
 * Selects the viewer's own collections and the collections shared with the viewer that contain the score of
 * the outer query.
 */
export const collectionsOf = (eb: ExpressionBuilder<Tables, 'scores'>, by: ViewerInQuery) =>
  eb
    .selectFrom('collection_scores as holding')
    .whereRef('holding.score_id', '=', 'scores.id')
    .where(isShownHolding(by))
    .select(idList('holding.collection_id').as('ids'))

const collectionsByScore = compiled((db, p: Params<{ scores: readonly string[] } & ListViewer>) =>
  db
    .selectFrom('collection_scores as holding')
    .where(p.isIn('holding.score_id', 'scores'))
    .where(isShownHolding({ viewer: p('viewer'), organization: p('organization') }))
    .select(['holding.score_id', 'holding.collection_id']),
)

/**
 * Returns the same as `collectionsOf` for several scores, by their ids. One query for a list costs the database a fifth of a
 * subquery for each of its rows.
 */
export async function listCollectionsOf(
  queries: Queries,
  scores: readonly string[],
  by: ListViewer,
): Promise<Map<string, string>> {
  const rows = scores.length > 0 ? await collectionsByScore(queries, { scores, ...by }) : []
  const lists = new Map<string, string>()
  // Grouped here, because SQLite would sort the rows to group them.
  for (const { score_id, collection_id } of rows) {
    const earlier = lists.get(score_id)
    lists.set(score_id, earlier === undefined ? collection_id : `${earlier},${collection_id}`)
  }
  return lists
}

/** Adds a score to a collection. Does nothing if it is already in the collection. */
export const insertCollectionScore = insertion('collection_scores', { orIgnore: true })

/** Takes a score out of all collections that a user owns. Returns whether it was in one. */
export async function deleteFromCollectionsOf(
  tx: Transaction,
  user: string,
  score: string,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('collection_scores')
    .where('score_id', '=', score)
    .where('collection_id', 'in', (eb) =>
      eb.selectFrom('collections').where('user_id', '=', user).select('id'),
    )
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Updates the copies of the sort keys in the collection entries of a score. */
export const updateSortKeys = compiled((db, p: Params<SortKeys & { id: string }>) =>
  db
    .updateTable('collection_scores')
    .set({
      title_key: p('title_key'),
      composer_key: p('composer_key'),
      duration: p('duration'),
      modified_at: p('modified_at'),
    })
    .where('score_id', '=', p('id')),
)
