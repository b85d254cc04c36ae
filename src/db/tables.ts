import type { ScorePrivacy } from '../contract/scores.ts'
import type { OrganizationRole } from '../contract/users.ts'

/**
 * The columns of every table, as a query sees them. Ids are 24 hex characters, times integer milliseconds since 1970,
 * truth values 0 or 1; columns named `…_key` hold the sort key of the text beside them (lib/sort-key.ts).
 */
export interface Tables {
  organizations: OrganizationsTable
  users: UsersTable
  apps: AppsTable
  access_tokens: AccessTokensTable
  server_secrets: ServerSecretsTable
  scores: ScoresTable
  score_revisions: ScoreRevisionsTable
  score_exports: ScoreExportsTable
  score_views: ScoreViewsTable
  collections: CollectionsTable
  collection_scores: CollectionScoresTable
  tasks: TasksTable
  blobs: BlobsTable
  jobs: JobsTable
}

export interface OrganizationsTable {
  id: string
  name: string
  /** Classes that may be active at a time; null is as many as wanted. */
  max_classes: number | null
  /** Whether its members' public scores are seen outside of it. */
  allows_public_scores: 0 | 1
  created_at: number
}

export interface UsersTable {
  id: string
  username: string
  username_key: string
  password_hash: string
  email: string | null
  email_verified: 0 | 1
  firstname: string | null
  lastname: string | null
  organization_id: string | null
  organization_role: OrganizationRole | null
  locale: string
  created_at: number
}

/** A program that acts for people by OAuth2. */
export interface AppsTable {
  id: string
  name: string
  redirect_uri: string
  /** Hash of its secret; null for a public client. */
  secret_hash: string | null
  created_at: number
}

export interface AccessTokensTable {
  id: string
  user_id: string
  /** The app it was given to; null for a personal token. */
  app_id: string | null
  name: string
  hash: string
  /** JSON array. */
  scopes: string
  created_at: number
  expires_at: number | null
  last_used_at: number | null
}

/** Made at the first start and shared by all processes of an installation. */
export interface ServerSecretsTable {
  name: string
  secret: Uint8Array
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

/** One row a viewer and hour, for two days. */
export interface ScoreViewsTable {
  score_id: string
  /** HMAC-SHA-256 of the account's id or the address, in base64url. */
  viewer: string
  /** Hours since 1970. */
  hour: number
}

export interface CollectionsTable {
  id: string
  user_id: string
  type: 'regular' | 'app'
  /** The app whose scores it takes; `personal` for those of personal tokens. Null for a regular one. */
  app: string | null
  title: string
  title_key: string
  created_at: number
  modified_at: number
}

/** A score in a collection, with the sort keys of the score so that a list needs one index. */
export interface CollectionScoresTable {
  collection_id: string
  score_id: string
  trashed: 0 | 1
  title_key: string
  created_at: number
  modified_at: number
}

/** What a caller sees of a job. */
export interface TasksTable {
  id: string
  user_id: string
  job_id: string
  type: string
  format: string | null
  score_id: string | null
  revision_id: string | null
  /** By which its score was opened; it must still open it when the result is asked for. */
  sharing_key: string | null
  /** Blob of the file to import, while there is something to be done with it. */
  source_blob: string | null
  /** Blob of the result with its name and media type, once done. */
  result_blob: string | null
  result_name: string | null
  result_media_type: string | null
  created_at: number
}

/** Immutable bytes (blobs/blob-store.ts). */
export interface BlobsTable {
  /** SHA-256 of the bytes, 64 lower-case hex characters. */
  hash: string
  /** How many bytes they are when unpacked. */
  size: number
  compression: 'zstd' | 'none'
  /** The packed bytes, or null where they are a file. */
  content: Uint8Array | null
  /** The file of the packed bytes, below the folder of the blobs. */
  file: string | null
  created_at: number
  /** Since when nothing is known to refer to it; null while something does. */
  unused_since: number | null
}

/** The queue (jobs/jobs.ts). */
export interface JobsTable {
  id: string
  kind: string
  /** Of one kind and key, one job at most is `created`. */
  key: string | null
  /** JSON. */
  payload: string
  /** `blocked` is one that waits for its next try. */
  state: 'created' | 'blocked' | 'doing' | 'done' | 'canceled' | 'error'
  /** When a worker may take it: its time to begin, its next try, or the end of the lease. Null once it is over. */
  due_at: number | null
  /** Who holds it: a new one each time it is taken. */
  lease: string | null
  attempts: number
  /** From 0 to 100. */
  percent: number
  progress_text: string | null
  /** JSON array of code, message and time. */
  errors: string
  created_at: number
  updated_at: number
  done_at: number | null
}
