import type { ScoreDetails, ScoreRevision } from '../../../contract/scores.ts'
import type { ResourceCollaborator, ResourceRights } from '../../../contract/sharing.ts'
import type { UserPublic } from '../../../contract/users.ts'
import { dateTime } from '../../../lib/date-time.ts'
import type { Viewer } from '../../../actor.ts'
import { presentUser } from '../../people/users/present.ts'
import { ownersRights, rightsAt } from '../sharing/access.ts'
import type { GrantRow, GrantTarget } from '../sharing/grants.store.ts'
import { canSeeGrant } from './policy.ts'
import { parseRecentCounts } from './recent-counts.ts'
import type { AddedCollaborator } from './collaborators.ts'
import type { RevisionFacts } from './revisions.store.ts'
import type { ScoreRow } from './store.ts'

/** The parts of the score details that do not come from the score's own row. */
export interface ScoreRelations {
  publicUrl: string
  owner: UserPublic
  collaborators: ResourceCollaborator[]
  isLiked: boolean
  instrumentsOf(stored: string): Instruments
}

/** The instruments of a score: the stored keys, their names in the language of the request, and their sounds. */
export interface Instruments {
  keys: string[]
  names: string[]
  samples: string[]
}

export function presentScore(
  score: ScoreRow,
  rights: ResourceRights,
  { publicUrl, owner, collaborators, isLiked, instrumentsOf }: ScoreRelations,
): ScoreDetails {
  const { keys: instruments, names: instrumentsNames, samples } = instrumentsOf(score.instruments)
  const recent = parseRecentCounts(score.recent_counts)
  const collections = score.collections ? score.collections.split(',') : []
  return {
    id: score.id,
    sharingKey: rights.aclAdmin ? (score.sharing_key ?? undefined) : undefined,
    title: score.title,
    privacy: score.privacy,
    user: owner,
    htmlUrl: `${publicUrl}/scores/${score.id}`,
    editHtmlUrl: `${publicUrl}/scores/${score.id}/edit`,
    subtitle: score.subtitle ?? undefined,
    lyricist: score.lyricist ?? undefined,
    arranger: score.arranger ?? undefined,
    composer: score.composer ?? undefined,
    description: score.description ?? undefined,
    tags: score.tags === '[]' ? [] : JSON.parse(score.tags),
    creationType: score.creation_type,
    license: score.license as ScoreDetails['license'],
    licenseText: score.license_text ?? undefined,
    durationTime: score.duration,
    numberMeasures: score.measures,
    mainTempoQpm: score.tempo_qpm ?? undefined,
    mainKeySignature: score.key_fifths ?? undefined,
    rights,
    collaborators,
    creationDate: dateTime(score.created_at),
    modificationDate: dateTime(score.modified_at),
    publicationDate: score.published_at === null ? undefined : dateTime(score.published_at),
    scheduledDeletionDate: score.deletion_at === null ? undefined : dateTime(score.deletion_at),
    organization: owner.organization,
    parentScore: score.parent_score_id ?? undefined,
    instruments,
    instrumentsNames,
    samples,
    likes: { total: score.likes, ...recent.likes },
    comments: { total: score.comments, ...recent.comments },
    views: { total: score.views, ...recent.views },
    plays: { total: score.plays, ...recent.plays },
    collections,
    me: { isLiked, isInLibrary: rights.isCollaborator === true || collections.length > 0 },
  }
}

/** The columns of a score or collection that its owner is presented with as a collaborator. */
export type OwnedResource = Pick<GrantTarget, 'on'> & { id: string; created_at: number }

/** The collaborators of a score or a collection that the viewer can see: the owner, then the oldest grant first. */
export function presentCollaborators(
  resource: OwnedResource,
  owner: UserPublic,
  grants: readonly GrantRow[],
  rights: ResourceRights,
  viewer: Viewer,
  publicUrl: string,
): ResourceCollaborator[] {
  const collaborators = [presentOwner(resource, owner)]
  for (const grant of grants) {
    if (canSeeGrant(grant, rights, viewer)) collaborators.push(presentCollaborator(grant, publicUrl))
  }
  return collaborators
}

/** Presents the owner as a collaborator. The owner has no grant, so the id is that of the user. */
export function presentOwner({ on, id, created_at }: OwnedResource, user: UserPublic): ResourceCollaborator {
  return {
    ...ownersRights,
    id: user.id,
    date: dateTime(created_at),
    score: on === 'score' ? id : undefined,
    collection: on === 'collection' ? id : undefined,
    user,
  }
}

export function presentCollaborator(grant: GrantRow, publicUrl: string): ResourceCollaborator {
  return {
    ...rightsAt(grant.level),
    isCollaborator: grant.email === null,
    collaboratorType: grant.group_id ? 'group' : 'user',
    id: grant.id,
    date: dateTime(grant.created_at),
    score: grant.score_id ?? undefined,
    collection: grant.collection_id ?? undefined,
    user: presentHolder(grant, publicUrl),
    group: presentGroup(grant),
    userEmail: grant.email ?? undefined,
    invited: grant.email === null ? undefined : true,
  }
}

/** Presents a new collaborator, with the token of an invitation. */
export const presentAdded = (
  { grant, userToken }: AddedCollaborator,
  publicUrl: string,
): ResourceCollaborator => ({ ...presentCollaborator(grant, publicUrl), userToken })

function presentHolder(grant: GrantRow, publicUrl: string): UserPublic | undefined {
  const { user_id: id, username, user_created_at: created_at } = grant
  if (id === null || username === null || created_at === null) return undefined
  return presentUser({ ...grant, id, username, created_at }, publicUrl)
}

function presentGroup(grant: GrantRow): ResourceCollaborator['group'] {
  const { group_id, group_name, group_type, group_created_at } = grant
  if (group_id === null || group_name === null || group_type === null || group_created_at === null)
    return undefined
  return {
    id: group_id,
    name: group_name,
    type: group_type,
    usersCount: grant.group_size ?? 0,
    readOnly: group_type !== 'classStudentsSubGroup',
    organization: grant.group_organization_id ?? undefined,
    creationDate: dateTime(group_created_at),
  }
}

export function presentRevision(revision: RevisionFacts): ScoreRevision {
  return {
    id: revision.id,
    user: revision.user_id,
    score: revision.score_id,
    collaborators: [revision.user_id],
    date: dateTime(revision.created_at),
    description: revision.description ?? undefined,
    autosave: revision.autosave === 1,
    importWarnings: revision.import_warnings ? JSON.parse(revision.import_warnings) : undefined,
    statistics: {
      additions: revision.notes_added,
      deletions: revision.notes_deleted,
      startDate: dateTime(revision.begun_at),
      endDate: dateTime(revision.created_at),
    },
  }
}

/** The response headers that name the revision. */
export function revisionHeaders(revision: { id: string; created_at: number }): Record<string, string> {
  return { 'x-flat-score-revision': revision.id, 'x-flat-score-revision-date': dateTime(revision.created_at) }
}
