import type { ResourceRights, ScoreDetails, ScoreRevision } from '../../contract/scores.ts'
import type { UserPublic } from '../../contract/users.ts'
import { dateTime } from '../../lib/date-time.ts'
import type { RevisionRow, ScoreRow } from './store.ts'

/** What belongs to others and stands in the details of a score. */
export interface ScoreSurroundings {
  publicUrl: string
  owner: UserPublic
  namesOf(instruments: readonly string[]): string[]
}

export function presentScore(
  score: ScoreRow,
  rights: ResourceRights,
  { publicUrl, owner, namesOf }: ScoreSurroundings,
): ScoreDetails {
  const instruments: string[] = JSON.parse(score.instruments)
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
    tags: JSON.parse(score.tags),
    creationType: score.creation_type,
    license: score.license as ScoreDetails['license'],
    licenseText: score.license_text ?? undefined,
    durationTime: score.duration,
    numberMeasures: score.measures,
    mainTempoQpm: score.tempo_qpm ?? undefined,
    mainKeySignature: score.key_fifths ?? undefined,
    rights,
    collaborators: [],
    creationDate: dateTime(score.created_at),
    modificationDate: dateTime(score.modified_at),
    publicationDate: score.published_at === null ? undefined : dateTime(score.published_at),
    scheduledDeletionDate: score.deletion_at === null ? undefined : dateTime(score.deletion_at),
    organization: owner.organization,
    parentScore: score.parent_score_id ?? undefined,
    instruments,
    instrumentsNames: namesOf(instruments),
    samples: [],
    views: { total: score.views },
    collections,
    me: { isLiked: false, isInLibrary: rights.isCollaborator === true || collections.length > 0 },
  }
}

export function presentRevision(revision: RevisionRow): ScoreRevision {
  return {
    id: revision.id,
    user: revision.user_id,
    score: revision.score_id,
    collaborators: [revision.user_id],
    date: dateTime(revision.created_at),
    description: revision.description ?? undefined,
    autosave: revision.autosave === 1,
    statistics: { additions: revision.notes_added, deletions: revision.notes_deleted },
  }
}

/** Which revision an answer speaks of, beside its body. */
export function revisionHeaders(revision: { id: string; created_at: number }): Record<string, string> {
  return { 'x-flat-score-revision': revision.id, 'x-flat-score-revision-date': dateTime(revision.created_at) }
}
