import type { ResourceRights } from '../../contract/sharing.ts'
import type { Queries } from '../../db/database.ts'
import { fail } from '../../errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Actor, Viewer } from '../../operation.ts'
import { canRead, type LoadedScore, loadScore } from '../scores/policy.ts'
import { findDefaultTrack, findTrack, type ListedTo, type TrackRow } from './store.ts'

/** Whether the viewer, who may read the score, may see a track of it. `listTracks` is the same rule in a query. */
function canSee(track: TrackRow, rights: ResourceRights, viewer: Viewer): boolean {
  if (track.state === 'deleted') return canChange(track, rights, viewer)
  if (track.purpose === 'common') return track.state === 'completed' || rights.aclWrite
  return viewer?.id === track.creator_id || rights.aclAdmin || isTaughtBy(track, viewer)
}

const isTaughtBy = ({ creator_organization }: TrackRow, viewer: Viewer) =>
  creator_organization !== null && teachesIn(viewer) === creator_organization

/** The organization whose members the viewer teaches or administers. */
function teachesIn(viewer: Viewer): string | undefined {
  return viewer?.organizationRole === 'user' ? undefined : viewer?.organization
}

/** What a list of tracks needs to know of who looks at it. */
export function listedTo(rights: ResourceRights, viewer: Viewer): ListedTo {
  return {
    viewer: viewer?.id ?? '',
    writes: rights.aclWrite ? 1 : 0,
    administers: rights.aclAdmin ? 1 : 0,
    teachesIn: teachesIn(viewer) ?? '',
  }
}

/** What is common is for the writers of the score to change; how somebody plays it, for that person alone. */
export function canChange(
  { purpose, creator_id }: Pick<TrackRow, 'purpose' | 'creator_id'>,
  rights: ResourceRights,
  viewer: Viewer,
): boolean {
  return purpose === 'common' ? rights.aclWrite : viewer?.id === creator_id
}

/** Whether it may be taken off the score: who administers that need not keep what others have put there. */
export function canDelete(track: TrackRow, rights: ResourceRights, viewer: Viewer): boolean {
  return canChange(track, rights, viewer) || rights.aclAdmin
}

/**
 * Whether a track is the default one of its score: as asked, else as it was, as long as it can be.
 * @throws INVALID_PARAMETER (`default`) when it is asked to be, and cannot
 */
export function defaultOf(
  { purpose, state }: Pick<TrackRow, 'purpose' | 'state'>,
  asked: boolean | undefined,
  was: 0 | 1 = 0,
): 0 | 1 {
  const canBe = purpose === 'common' && state !== 'deleted'
  if (asked && !canBe) {
    fail('INVALID_PARAMETER', {
      param: 'default',
      message: 'Only a common track that is not deleted can be the default.',
    })
  }
  return canBe && (asked ?? was === 1) ? 1 : 0
}

/** A track of a score that was loaded. @throws TRACK_NOT_FOUND when there is none that the viewer may see */
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

/** The synchronization points of the default track (JSON), where the viewer may see one that has some. */
export async function findDefaultPoints(
  queries: Queries,
  viewer: Viewer,
  { score, rights }: LoadedScore,
): Promise<string | undefined> {
  const track = await findDefaultTrack(queries, score.id)
  return track && canSee(track, rights, viewer) && track.points !== '[]' ? track.points : undefined
}

/**
 * A track and its score, for someone who may do this with the track.
 * @throws SCORE_NOT_FOUND and TRACK_NOT_FOUND for what the actor may not see; TRACK_ACCESS_DENIED; SCORE_TRASHED
 */
export async function loadOwnTrack(
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
