import { sql } from 'kysely'
import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { touchCollectionsOf } from './collection-scores.store.ts'

/**
 * The `deletion_at` of a score that is deleted as soon as possible. No user sees the score until the deletion job runs.
 */
export const immediateDeletion = 0

/** Moves a score into the trash or out of it, which also changes its collections. Returns whether the score moved. */
export async function updateTrashed(
  tx: Transaction,
  id: string,
  { trashed, deletionAt, now }: { trashed: 0 | 1; deletionAt: number | null; now: number },
): Promise<boolean> {
  const moved = await tx
    .updateTable('scores')
    .set({ trashed, deletion_at: deletionAt })
    .where('id', '=', id)
    .where('trashed', '=', trashed ? 0 : 1)
    .executeTakeFirst()
  await tx.updateTable('collection_scores').set({ trashed }).where('score_id', '=', id).execute()
  const hasMoved = moved.numUpdatedRows > 0n
  if (hasMoved) await touchCollectionsOf(tx, id, { now })
  return hasMoved
}

const markForDeletion = compiled((db, p: Params<{ ids: readonly string[] }>) =>
  db
    .updateTable('scores')
    .set({ trashed: 1, deletion_at: sql.lit(immediateDeletion) })
    .where(p.isIn('id', 'ids')),
)
const trashInCollections = compiled((db, p: Params<{ ids: readonly string[] }>) =>
  db.updateTable('collection_scores').set({ trashed: 1 }).where(p.isIn('score_id', 'ids')),
)

/** Hides these scores from all users. The deletion job deletes them. */
export async function scheduleImmediateDeletion(tx: Transaction, ids: readonly string[]): Promise<void> {
  await Promise.all([markForDeletion(tx, { ids }), trashInCollections(tx, { ids })])
}

/** Changes the deletion date of a score in the trash. */
export async function updateDeletionAt(tx: Transaction, id: string, deletionAt: number): Promise<void> {
  await tx
    .updateTable('scores')
    .set({ deletion_at: deletionAt })
    .where('id', '=', id)
    .where('trashed', '=', 1)
    .execute()
}
