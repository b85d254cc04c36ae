import type { Transaction } from '../../db/database.ts'

/**
 * Gives a copy of a score the recording that the original is played with. Its points hold: measures keep their uuids.
 * @param copy the score that was just made, whose it is, and the id of its track
 */
export async function copyDefaultTrack(
  tx: Transaction,
  original: string,
  copy: { id: string; score: string; creator: string; now: number },
): Promise<void> {
  const track = await tx
    .selectFrom('score_tracks')
    .selectAll()
    .where('score_id', '=', original)
    .where('is_default', '=', 1)
    .where('purpose', '=', 'common')
    .where('state', '=', 'completed')
    .executeTakeFirst()
  if (!track) return
  const { id, score: score_id, creator: creator_id, now } = copy
  const row = { ...track, id, score_id, creator_id, created_at: now, modified_at: now }
  await tx.insertInto('score_tracks').values(row).execute()
}
