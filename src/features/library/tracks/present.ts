import type { ScoreTrack, ScoreTrackPoint } from '../../../contract/score-tracks.ts'
import type { ScoreTracksTable } from '../../../platform/db/score-tables.ts'
import { dateTime } from '../../../lib/date-time.ts'

export function presentTrack(track: ScoreTracksTable): ScoreTrack {
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
    url: track.url,
    mediaId: track.media_id ?? undefined,
    synchronizationPoints: JSON.parse(track.points) as ScoreTrackPoint[],
  }
}
