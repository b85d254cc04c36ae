import type { ScorePrivacy } from '../../contract/scores.ts'
import type { RecordingMediaType } from '../../lib/recording-type.ts'
import { flag, index, integer, key, real, text, uniqueIndex, type RowOf, table } from './define-table.ts'

/**
 * The columns of the tables of scores and of the data that belongs to them, in the same form as those in
 * `tables.ts`.
 */
export const scoreTables = {
  scores: table(
    {
      id: key().primaryKey(),
      owner_id: key().references('users.id'),
      title: text(),
      title_key: key(),
      /** The composer and then the title, by which lists are sorted (features/library/scores/composer-key.ts). */
      composer_key: key(),
      subtitle: text().nullable(),
      composer: text().nullable(),
      lyricist: text().nullable(),
      arranger: text().nullable(),
      description: text().nullable(),
      /** JSON array. */
      tags: text(),
      creation_type: key<'original' | 'arrangement' | 'other'>().nullable(),
      license: key().nullable(),
      license_text: text().nullable(),
      privacy: key<ScorePrivacy>(),
      sharing_key: key().nullable(),
      parent_score_id: key().nullable(),
      last_revision_id: key(),
      /**
       * JSON of the edited credits that the document of the last revision lacks (features/library/scores/pending-credits.ts). Null
       * if there are none.
       */
      pending_credits: text().nullable(),
      /** JSON array of `group.instrument`, one for each part. */
      instruments: text(),
      /** Length of the playback in seconds. */
      duration: real(),
      measures: integer(),
      tempo_qpm: real().nullable(),
      key_fifths: integer().nullable(),
      views: integer(),
      created_at: integer(),
      modified_at: integer(),
      published_at: integer().nullable(),
      trashed: flag(),
      /** When the score is permanently deleted. Null unless it is in the trash. */
      deletion_at: integer().nullable(),
      likes: integer().default(0),
      comments: integer().default(0),
      plays: integer().default(0),
      /** The number of grants on the score, invitations included. */
      grants: integer().default(0),
      /** How often its comments have changed, for readers who follow them (features/library/scores/changes.store.ts). */
      comment_changes: integer().default(0),
      /** How often its grants or its sharing key have changed. */
      sharing_changes: integer().default(0),
      /** The sum of `stored_bytes` of its revisions. */
      stored_bytes: integer().default(0),
      /**
       * The text that a search matches: sort keys of the score's texts, one per line
       * (features/library/scores/search-key.ts).
       */
      search_key: text().default(''),
      /** The counts of the last week, month and year (features/library/scores/recent-counts.ts). */
      recent_counts: text().default(''),
      /** When `recent_counts` must be counted again; 0 after each change. Null while all are zero. */
      counts_due_at: integer().nullable(),
    },
    {
      indexes: [
        index('scores_by_counts_due_at', ['counts_due_at'], 'counts_due_at is not null'),
        index('scores_by_deletion_at', ['deletion_at', 'id'], 'deletion_at is not null'),
        index('scores_by_owner_and_composer_key', ['owner_id', 'trashed', 'composer_key', 'id']),
        index('scores_by_owner_and_created_at', ['owner_id', 'trashed', 'created_at', 'id']),
        index('scores_by_owner_and_duration', ['owner_id', 'trashed', 'duration', 'id']),
        index('scores_by_owner_and_modified_at', ['owner_id', 'trashed', 'modified_at', 'id']),
        index('scores_by_owner_and_title_key', ['owner_id', 'trashed', 'title_key', 'id']),
        index('scores_shared_by_owner', ['owner_id'], 'grants > 0'),
      ],
    },
  ),

  /** The revisions of the scores. A revision is immutable. */
  score_revisions: table(
    {
      id: key().primaryKey(),
      score_id: key().references('scores.id', 'cascade'),
      user_id: key(),
      description: text().nullable(),
      autosave: flag(),
      /** Blob of the normalized document, as JSON. */
      document_blob: key(),
      /** Blob of the data as the client sent it. Null for a score that the server created. */
      source_blob: key().nullable(),
      source_format: key().nullable(),
      /** JSON array of what the reader changed in a faulty file (`ImportWarning`). Null if the file was correct. */
      import_warnings: text().nullable(),
      /** What the revision counts against storage quotas: the compressed sizes of both blobs, shared or not. */
      stored_bytes: integer().default(0),
      /** JSON array of the uuids of its parts, in score order. */
      part_uuids: text(),
      /** Length of the playback in seconds. */
      duration: real(),
      notes_added: integer(),
      notes_deleted: integer(),
      /** When the work that the revision saved began, at the earliest: the time of the revision that it was made from. */
      begun_at: integer(),
      created_at: integer(),
      /**
       * This column and those below have the meaning of the columns in `scores`. All are null in revisions
       * that were written before these columns existed.
       */
      instruments: text().nullable(),
      measures: integer().nullable(),
      tempo_qpm: real().nullable(),
      key_fifths: integer().nullable(),
    },
    {
      indexes: [
        index('score_revisions_by_document_blob', ['document_blob']),
        index('score_revisions_by_score', ['score_id', 'id']),
        index('score_revisions_by_source_blob', ['source_blob'], 'source_blob is not null'),
      ],
    },
  ),

  /** Cached exports of revisions (features/library/scores/export-cache.ts). */
  score_exports: table(
    {
      revision_id: key().references('score_revisions.id', 'cascade'),
      /** The format with its options: `mp3`, `svg?by=x1Yz&page=2`. */
      variant: key(),
      blob: key(),
      /** The number of pages of the score in this layout; null if the format has none. */
      pages: integer().nullable(),
      /** The compressed size. */
      stored_bytes: integer(),
      created_at: integer(),
      /** When the export was last used, to the hour. The least recently used exports are evicted. */
      used_at: integer(),
    },
    {
      primaryKey: ['revision_id', 'variant'],
      indexes: [index('score_exports_by_blob', ['blob']), index('score_exports_by_used_at', ['used_at'])],
    },
  ),

  /** Exports that a process makes now (features/library/scores/export-leases.ts). */
  export_leases: table(
    {
      revision_id: key().references('score_revisions.id', 'cascade'),
      variant: key(),
      /** The id of the run that makes the export. */
      lease: key(),
      /** When the lease expires. */
      until: integer(),
    },
    { primaryKey: ['revision_id', 'variant'] },
  ),

  /** One row, `size`: the sum of `stored_bytes` of all exports. */
  export_cache: table({
    id: key().primaryKey(),
    bytes: integer(),
  }),

  /** One row per score, viewer and hour, kept for two days. */
  score_views: table(
    {
      score_id: key().references('scores.id', 'cascade'),
      /** HMAC-SHA-256 of the account id or the network, in base64url. */
      viewer: key(),
      /** Hours since 1970. */
      hour: integer(),
    },
    {
      primaryKey: ['score_id', 'viewer', 'hour'],
      indexes: [index('score_views_by_hour', ['hour'])],
    },
  ),

  /** One row per score, viewer and hour, kept for two days. */
  score_plays: table(
    {
      score_id: key().references('scores.id', 'cascade'),
      /** HMAC-SHA-256 of the account id or the network, in base64url. */
      viewer: key(),
      /** Hours since 1970. */
      hour: integer(),
    },
    {
      primaryKey: ['score_id', 'viewer', 'hour'],
      indexes: [index('score_plays_by_hour', ['hour'])],
    },
  ),

  /** The views and plays of a score on a day, kept for a year. */
  score_days: table(
    {
      score_id: key().references('scores.id', 'cascade'),
      /** Days since 1970. */
      day: integer(),
      views: integer(),
      plays: integer(),
    },
    {
      primaryKey: ['score_id', 'day'],
      indexes: [index('score_days_by_day', ['day'])],
    },
  ),

  score_likes: table(
    {
      user_id: key().references('users.id'),
      score_id: key().references('scores.id', 'cascade'),
      created_at: integer(),
    },
    {
      primaryKey: ['user_id', 'score_id'],
      indexes: [
        index('score_likes_by_score', ['score_id', 'created_at']),
        index('score_likes_by_time', ['user_id', 'created_at', 'score_id']),
      ],
    },
  ),

  score_comments: table(
    {
      id: key().primaryKey(),
      score_id: key().references('scores.id', 'cascade'),
      /** The revision that the comment names, or else the newest one when the comment was written. */
      revision_id: key(),
      user_id: key().references('users.id'),
      reply_to: key().nullable().references('score_comments.id', 'cascade'),
      comment: text(),
      /** The comment with mentions as `@[id:username]`. */
      raw_comment: text(),
      /** JSON array of the ids of the mentioned users. */
      mentions: text(),
      /** JSON of the position of an inline comment in the score. */
      context: text().nullable(),
      /** The user who resolved the comment. Null while it is unresolved. */
      resolved_by: key().nullable(),
      /** The reason why the comment is hidden. Null while it is visible. */
      hidden: key<'spam' | 'inappropriate'>().nullable(),
      created_at: integer(),
      modified_at: integer().nullable(),
    },
    {
      indexes: [
        index('score_comments_by_reply_to', ['reply_to']),
        index('score_comments_by_score', ['score_id', 'id']),
        index('score_comments_by_user', ['user_id']),
        index('score_comments_with_mentions', ['id'], "mentions <> '[]'"),
      ],
    },
  ),

  /** A recording of a score. */
  score_tracks: table(
    {
      id: key().primaryKey(),
      score_id: key().references('scores.id', 'cascade'),
      creator_id: key().references('users.id'),
      title: text().nullable(),
      type: key<'audio' | 'soundcloud' | 'youtube' | 'vimeo'>(),
      /** Null if the recording is stored here (`recording_files`). */
      url: text().nullable(),
      /** The id of the recording at its provider. */
      media_id: text().nullable(),
      purpose: key<'common' | 'performanceSubmission'>(),
      state: key<'draft' | 'completed' | 'deleted'>(),
      is_default: flag(),
      /** JSON array of synchronization points. */
      points: text(),
      created_at: integer(),
      modified_at: integer(),
    },
    {
      indexes: [
        index('score_tracks_by_creator', ['creator_id']),
        index('score_tracks_by_score', ['score_id', 'id']),
        uniqueIndex('score_tracks_default', ['score_id'], 'is_default = 1'),
      ],
    },
  ),

  /** The file of a recording: an upload, and later the recording of a track. */
  recording_files: table(
    {
      id: key().primaryKey(),
      /** The creator of the track. */
      user_id: key().references('users.id'),
      /** Null for an upload. */
      track_id: key().nullable().references('score_tracks.id', 'cascade'),
      /** The type by content. Null before the first part. */
      media_type: key<RecordingMediaType>().nullable(),
      /** Number of bytes when it is complete, which count against the quota of the user from the start. */
      size: integer(),
      /** Number of bytes that have arrived. They begin at 0 and have no gap. */
      received: integer(),
      created_at: integer(),
    },
    {
      indexes: [
        index('recording_files_by_user', ['user_id', 'id']),
        uniqueIndex('recording_files_by_track', ['track_id'], 'track_id is not null'),
        index('recording_uploads_by_created_at', ['created_at'], 'track_id is null'),
      ],
    },
  ),

  /** A part of a recording, which was uploaded in one request. */
  recording_parts: table(
    {
      file_id: key().references('recording_files.id', 'cascade'),
      /** The position of its first byte in the recording. */
      start: integer(),
      size: integer(),
      part_blob: key(),
    },
    {
      primaryKey: ['file_id', 'start'],
      indexes: [index('recording_parts_by_blob', ['part_blob'])],
    },
  ),

  collections: table(
    {
      id: key().primaryKey(),
      user_id: key().references('users.id'),
      type: key<'regular' | 'app'>(),
      /**
       * The app whose scores the collection receives, or `personal` for scores of personal tokens. Null for a
       * regular collection.
       */
      app: key().nullable(),
      title: text(),
      title_key: key(),
      is_pinned: flag().default(0),
      created_at: integer(),
      modified_at: integer(),
      /** When the collection is permanently deleted. Null unless it is in the trash. */
      deletion_at: integer().nullable(),
      /** The number of grants on the collection, invitations included. */
      grants: integer().default(0),
    },
    {
      indexes: [
        uniqueIndex('collections_by_app', ['user_id', 'app'], 'deletion_at is null and app is not null'),
        index('collections_by_deletion_at', ['deletion_at', 'id'], 'deletion_at is not null'),
        index('collections_by_user_and_created_at', ['user_id', 'created_at', 'id'], 'deletion_at is null'),
        index('collections_by_user_and_modified_at', ['user_id', 'modified_at', 'id'], 'deletion_at is null'),
        index('collections_by_user_and_title_key', ['user_id', 'title_key', 'id'], 'deletion_at is null'),
        index(
          'trashed_collections_by_user_and_created_at',
          ['user_id', 'created_at', 'id'],
          'deletion_at is not null',
        ),
        index(
          'trashed_collections_by_user_and_modified_at',
          ['user_id', 'modified_at', 'id'],
          'deletion_at is not null',
        ),
        index(
          'trashed_collections_by_user_and_title_key',
          ['user_id', 'title_key', 'id'],
          'deletion_at is not null',
        ),
      ],
    },
  ),

  /** A score in a collection, with the sort keys of the score so that a list needs one index. */
  collection_scores: table(
    {
      collection_id: key().references('collections.id', 'cascade'),
      score_id: key().references('scores.id', 'cascade'),
      trashed: flag(),
      title_key: key(),
      composer_key: key(),
      duration: real(),
      created_at: integer(),
      modified_at: integer(),
      /** The user who added the score. */
      added_by: key().default(''),
      /** The sharing key that the user opened the score with when adding it. */
      sharing_key: key().nullable(),
    },
    {
      primaryKey: ['collection_id', 'score_id'],
      indexes: [
        index('collection_scores_by_composer_key', ['collection_id', 'trashed', 'composer_key', 'score_id']),
        index('collection_scores_by_created_at', ['collection_id', 'trashed', 'created_at', 'score_id']),
        index('collection_scores_by_duration', ['collection_id', 'trashed', 'duration', 'score_id']),
        index('collection_scores_by_modified_at', ['collection_id', 'trashed', 'modified_at', 'score_id']),
        index('collection_scores_by_score', ['score_id', 'added_by', 'collection_id']),
        index('collection_scores_by_title_key', ['collection_id', 'trashed', 'title_key', 'score_id']),
      ],
    },
  ),
}

export type ScoresTable = RowOf<typeof scoreTables.scores>
export type ScoreRevisionsTable = RowOf<typeof scoreTables.score_revisions>
export type ScoreExportsTable = RowOf<typeof scoreTables.score_exports>
export type ExportLeasesTable = RowOf<typeof scoreTables.export_leases>
export type ScoreViewsTable = RowOf<typeof scoreTables.score_views>
export type ScoreDaysTable = RowOf<typeof scoreTables.score_days>
export type ScoreLikesTable = RowOf<typeof scoreTables.score_likes>
export type ScoreCommentsTable = RowOf<typeof scoreTables.score_comments>
export type ScoreTracksTable = RowOf<typeof scoreTables.score_tracks>
export type RecordingFilesTable = RowOf<typeof scoreTables.recording_files>
export type RecordingPartsTable = RowOf<typeof scoreTables.recording_parts>
export type CollectionsTable = RowOf<typeof scoreTables.collections>
