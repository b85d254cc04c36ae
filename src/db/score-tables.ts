import type { ScorePrivacy } from '../contract/scores.ts'

/** The columns of the tables of scores and of what hangs on them, in the same form as those of `tables.ts`. */
export interface ScoreTables {
  scores: ScoresTable
  score_revisions: ScoreRevisionsTable
  score_exports: ScoreExportsTable
  score_views: ScoreViewsTable
  score_plays: ScoreViewsTable
  score_likes: ScoreLikesTable
  score_comments: ScoreCommentsTable
  score_tracks: ScoreTracksTable
}

export interface ScoresTable {
  id: string
  owner_id: string
  title: string
  title_key: string
  subtitle: string | null
  composer: string | null
  lyricist: string | null
  arranger: string | null
  description: string | null
  /** JSON array. */
  tags: string
  creation_type: 'original' | 'arrangement' | 'other' | null
  license: string | null
  license_text: string | null
  privacy: ScorePrivacy
  sharing_key: string | null
  parent_score_id: string | null
  last_revision_id: string
  /** JSON array of `group.instrument`, one for each part. */
  instruments: string
  /** Length of a playback in seconds. */
  duration: number
  measures: number
  tempo_qpm: number | null
  key_fifths: number | null
  views: number
  plays: number
  likes: number
  comments: number
  /** How many grants there are on it, invitations included. */
  grants: number
  /** What a search looks in: sort keys of its texts, a line each (features/scores/search-key.ts). */
  search_key: string
  created_at: number
  modified_at: number
  published_at: number | null
  trashed: 0 | 1
  /** When it is deleted for good; null unless trashed. */
  deletion_at: number | null
}

/** Immutable. */
export interface ScoreRevisionsTable {
  id: string
  score_id: string
  user_id: string
  description: string | null
  autosave: 0 | 1
  /** Blob of the normalised document, in the json form. */
  document_blob: string
  /** Blob of the data as it was sent; null for a score that was built here. */
  source_blob: string | null
  source_format: string | null
  /** JSON array of the uuids of its parts, in score order. */
  part_uuids: string
  /** Length of a playback in seconds. */
  duration: number
  /** As of the score; null, all of them, for a revision that was written before these were kept. */
  instruments: string | null
  measures: number | null
  tempo_qpm: number | null
  key_fifths: number | null
  notes_added: number
  notes_deleted: number
  created_at: number
}

/** What was made of a revision, kept to be given out again. */
export interface ScoreExportsTable {
  revision_id: string
  /** Format, and what of it: `mp3`, `svg?page=2`. */
  variant: string
  blob: string
  created_at: number
}

/** One row a viewer and hour, for two days; of plays as of views. */
export interface ScoreViewsTable {
  score_id: string
  /** HMAC-SHA-256 of the account's id or the address, in base64url. */
  viewer: string
  /** Hours since 1970. */
  hour: number
}

export interface ScoreLikesTable {
  user_id: string
  score_id: string
  created_at: number
}

export interface ScoreCommentsTable {
  id: string
  score_id: string
  /** The newest one when it was written, or the one that it names. */
  revision_id: string
  user_id: string
  reply_to: string | null
  comment: string
  /** The same with mentions as `@[id:username]`. */
  raw_comment: string
  /** JSON array of the ids of the users that it mentions. */
  mentions: string
  /** JSON of the place in the score of an inline comment. */
  context: string | null
  /** Who resolved it; null while it is not. */
  resolved_by: string | null
  /** Why it is hidden; null while it is shown. */
  hidden: 'spam' | 'inappropriate' | null
  created_at: number
  modified_at: number | null
}

/** A recording that goes with a score. */
export interface ScoreTracksTable {
  id: string
  score_id: string
  creator_id: string
  title: string | null
  type: 'audio' | 'soundcloud' | 'youtube' | 'vimeo'
  url: string
  /** The id of the recording at its provider. */
  media_id: string | null
  purpose: 'common' | 'performanceSubmission'
  state: 'draft' | 'completed' | 'deleted'
  is_default: 0 | 1
  /** JSON array of synchronization points. */
  points: string
  created_at: number
  modified_at: number
}
