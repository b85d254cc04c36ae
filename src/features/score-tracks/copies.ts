import type { Transaction } from '../../db/database.ts'
import { findTrackToCopy, insertTrack } from './store.ts'

/**
 * Gives a copy of a score the recording that the original is played with. Its points hold: measures keep their uuids.
 * @param copy the score that was just made, whose it is, and the id of its track
 */
export async function copyDefaultTrack(
  tx: Transaction,
  original: string,
  copy: { id: string; score: string; creator: string; now: number },
): Promise<void> {
  const track = await findTrackToCopy(tx, original)
  if (!track) return
  const { id, score: score_id, creator: creator_id, now } = copy
  await insertTrack(tx, { ...track, id, score_id, creator_id, created_at: now, modified_at: now })
}
