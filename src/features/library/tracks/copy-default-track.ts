import type { Transaction } from '../../../platform/db/database.ts'
import { copyFile } from '../uploads/store.ts'
import { bytesOfPoints } from './points.ts'
import { findTrackToCopy, insertTrack } from './store.ts'

/**
 * Copies the default track of a score to a copy of the score. Its points stay valid because measures keep
 * their uuids.
 * @param copy the id of the new score, the user who creates it, and the id of the new track
 * @returns the number of bytes that the new track needs
 */
export async function copyDefaultTrack(
  tx: Transaction,
  original: string,
  copy: { id: string; score: string; creator: string; now: number },
): Promise<number> {
  const track = await findTrackToCopy(tx, original)
  if (!track) return 0
  const { id, score: score_id, creator: creator_id, now } = copy
  await insertTrack(tx, { ...track, id, score_id, creator_id, created_at: now, modified_at: now })
  // A track has at most one file, so the file can have the id of its track.
  return (
    bytesOfPoints(track.points) + (await copyFile(tx, track.id, { id, user: creator_id, track: id, now }))
  )
}
