import type { Queries, Transaction } from '../../db/database.ts'
import type { ScoresTable } from '../../db/score-tables.ts'
import { insertCollectionScore } from './store.ts'

/** A score in a collection. */
export interface Collected {
  collection: string
  score: string
}

/** What of a score stands in each collection that it is in, too. */
export type Placed = Pick<ScoresTable, 'id' | 'owner_id' | 'title_key' | 'created_at' | 'modified_at'>

/**
 * Puts a score into a collection. Where it is in there already it stays as it was put, but for who has put it there
 * before, and for its owner, to whom the place belongs from then on.
 * @param key by which it was opened
 */
export async function putIntoCollection(
  tx: Transaction,
  collection: string,
  score: Placed,
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

/** Who has put the score into the collection; undefined where it is not in there. */
export async function findWhoAdded(queries: Queries, { collection, score }: Collected): Promise<string | undefined> {
  const row = await queries
    .selectFrom('collection_scores')
    .select('added_by')
    .where('collection_id', '=', collection)
    .where('score_id', '=', score)
    .executeTakeFirst()
  return row?.added_by
}

export async function deleteFromCollection(tx: Transaction, { collection, score }: Collected): Promise<void> {
  await tx
    .deleteFrom('collection_scores')
    .where('collection_id', '=', collection)
    .where('score_id', '=', score)
    .execute()
}
