import type { Queries, Transaction } from '../../../platform/db/database.ts'
import type { ScoresTable } from '../../../platform/db/score-tables.ts'
import { insertCollectionScore } from './store.ts'

/** The key of one score in one collection. */
export interface CollectionEntryKey {
  collection: string
  score: string
}

/** The columns of a score that are copied to each of its collection entries. */
export type CollectedScore = Pick<ScoresTable, 'id' | 'owner_id' | 'title_key' | 'created_at' | 'modified_at'>

/**
 * Adds a score to a collection. If the score is already in the collection, the entry is updated only when
 * `by` is the user who added it, or the owner of the score. The owner becomes the adding user.
 * @param by the id of the user who adds the score
 * @param key the sharing key that opened the score for that user
 */
export async function addToCollection(
  tx: Transaction,
  collection: string,
  score: CollectedScore,
  { by, key }: { by: string; key: string | null },
): Promise<void> {
  const { title_key, created_at, modified_at } = score
  const isNew = await insertCollectionScore(tx, {
    collection_id: collection,
    score_id: score.id,
    trashed: 0,
    title_key,
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
): Promise<void> {
  await tx
    .deleteFrom('collection_scores')
    .where('collection_id', '=', collection)
    .where('score_id', '=', score)
    .execute()
}
