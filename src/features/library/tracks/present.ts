import type { ScoreTrack, ScoreTrackPoint } from '../../../contract/score-tracks.ts'
import type { ScoreTracksTable } from '../../../platform/db/score-tables.ts'
import { dateTime } from '../../../lib/date-time.ts'
import type { TrackFile } from './store.ts'

/** @param publicUrl the address of the server, for recordings that it stores */
export function presentTrack(track: ScoreTracksTable & TrackFile, publicUrl: string): ScoreTrack {
  const { file_type: mediaType, file_size: size } = track
  return {
    id: track.id,
    title: track.title ?? undefined,
    score: track.score_id,
    creator: track.creator_id,
    creationDate: dateTime(track.created_at),
    modificationDate: dateTime(track.modified_at),
    default: track.is_default === 1,
    state: track.state,
    type: track.type,
    purpose: track.purpose,
    url: track.url ?? `${publicUrl}/v2/scores/${track.score_id}/tracks/${track.id}/file`,
    file: mediaType !== null && size !== null ? { mediaType, size } : undefined,
    mediaId: track.media_id ?? undefined,
    synchronizationPoints: JSON.parse(track.points) as ScoreTrackPoint[],
  }
}
