import type { Context } from '../../../context.ts'
import type { RecordingMediaType } from '../../../lib/recording-type.ts'
import type { ResourceRights } from '../../../contract/sharing.ts'
import type { Queries } from '../../../platform/db/database.ts'
import { fail } from '../../../errors.ts'
import { isId } from '../../../lib/ids.ts'
import type { Actor, Viewer } from '../../../actor.ts'
import { canRead, type LoadedScore, loadScore } from '../scores/policy.ts'
import { findDefaultTrack, findTrack, type TrackListViewer, type TrackRow } from './store.ts'

/**
 * Returns whether a viewer with read access to the score can see a track. `listTracks` is the same rule in a
 * query.
 */
function canSee(track: TrackRow, rights: ResourceRights, viewer: Viewer): boolean {
  if (track.state === 'deleted') return canChange(track, rights, viewer)
  if (track.purpose === 'common') return track.state === 'completed' || rights.aclWrite
  return viewer?.id === track.creator_id || rights.aclAdmin || isTaughtBy(track, viewer)
}

const isTaughtBy = ({ creator_organization }: TrackRow, viewer: Viewer) =>
  creator_organization !== null && teachesIn(viewer) === creator_organization

/** Returns the organization in which the viewer is a teacher or an administrator. */
function teachesIn(viewer: Viewer): string | undefined {
  return viewer?.organizationRole === 'user' ? undefined : viewer?.organization
}

/** Returns the parameters of a list of tracks that depend on the viewer. */
export function trackListViewer(rights: ResourceRights, viewer: Viewer): TrackListViewer {
  return {
    viewer: viewer?.id ?? '',
    writes: rights.aclWrite ? 1 : 0,
    administers: rights.aclAdmin ? 1 : 0,
    teachesIn: teachesIn(viewer) ?? '',
  }
}

/**
 * Users with write access to the score can change common tracks. Only its creator can change a performance.
 */
export function canChange(
  { purpose, creator_id }: Pick<TrackRow, 'purpose' | 'creator_id'>,
  rights: ResourceRights,
  viewer: Viewer,
): boolean {
  return purpose === 'common' ? rights.aclWrite : viewer?.id === creator_id
}

/** Users who can change a track can delete it. Administrators of the score can delete any track. */
export function canDelete(track: TrackRow, rights: ResourceRights, viewer: Viewer): boolean {
  return canChange(track, rights, viewer) || rights.aclAdmin
}

/**
 * Returns whether a track is the default of its score. Without a request, the state does not change, unless
 * the track can no longer be the default.
 * @throws INVALID_PARAMETER (`default`) if the request asks for it but the track cannot be the default
 */
export function defaultOf(
  { purpose, state }: Pick<TrackRow, 'purpose' | 'state'>,
  requested: boolean | undefined,
  was: 0 | 1 = 0,
): 0 | 1 {
  const canBe = purpose === 'common' && state !== 'deleted'
  if (requested && !canBe) {
    fail('INVALID_PARAMETER', {
      param: 'default',
      message: 'Only a common track that is not deleted can be the default.',
    })
  }
  return canBe && (requested ?? was === 1) ? 1 : 0
}

/**
 * Loads a track of a score.
 * @throws TRACK_NOT_FOUND if the track does not exist or the viewer cannot see it
 */
export async function loadTrack(
  queries: Queries,
  viewer: Viewer,
  { score, rights }: LoadedScore,
  id: string,
): Promise<TrackRow> {
  const track = isId(id) ? await findTrack(queries, { score: score.id, id }) : undefined
  if (!track || !canSee(track, rights, viewer)) fail('TRACK_NOT_FOUND')
  return track
}

/**
 * Returns the synchronization points of the default track as JSON, or undefined if the viewer cannot see the
 * track or it has none.
 */
export async function findDefaultPoints(
  queries: Queries,
  viewer: Viewer,
  { score, rights }: LoadedScore,
): Promise<string | undefined> {
  const track = await findDefaultTrack(queries, score.id)
  return track && canSee(track, rights, viewer) && track.points !== '[]' ? track.points : undefined
}

/**
 * Returns the address at which the default track can be heard, or undefined if the viewer cannot see the track or it is a video
 * or at a service that plays it on its own pages. The address of a recording that this server stores is valid for 15 minutes.
 */
export async function findDefaultAudio(
  ctx: Pick<Context, 'db' | 'links'>,
  viewer: Viewer,
  { score, rights }: LoadedScore,
): Promise<string | undefined> {
  const track = await findDefaultTrack(ctx.db.read, score.id)
  if (track?.type !== 'audio' || !canSee(track, rights, viewer)) return undefined
  return track.url ?? ctx.links.urlOf(fileOf(track))
}

/**
 * Returns the file of a track.
 * @throws TRACK_WITHOUT_FILE if the recording is stored elsewhere
 */
export function fileOf({ file_id, file_type }: TrackRow): {
  readonly recording: string
  readonly mediaType: RecordingMediaType
} {
  if (file_id === null || file_type === null) fail('TRACK_WITHOUT_FILE')
  return { recording: file_id, mediaType: file_type }
}

/**
 * Loads a track with its score and checks that the actor has the required right.
 * @throws SCORE_NOT_FOUND or TRACK_NOT_FOUND if the actor cannot see them; TRACK_ACCESS_DENIED; SCORE_TRASHED
 */
export async function loadTrackFor(
  queries: Queries,
  actor: Actor,
  at: { score: string; track: string; sharingKey?: string | undefined },
  can: (track: TrackRow, rights: ResourceRights, actor: Actor) => boolean,
): Promise<LoadedScore & { track: TrackRow }> {
  const loaded = await loadScore(queries, actor, at.score, canRead, at.sharingKey)
  const track = await loadTrack(queries, actor, loaded, at.track)
  if (!can(track, loaded.rights, actor)) fail('TRACK_ACCESS_DENIED')
  if (loaded.score.trashed) fail('SCORE_TRASHED')
  return { ...loaded, track }
}
