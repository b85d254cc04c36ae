import {
  bytes,
  flag,
  index,
  integer,
  key,
  real,
  text,
  uniqueIndex,
  type RowOf,
  table,
} from './define-table.ts'
import type { Lane } from '../queue/lanes.ts'

/** The tables of the platform itself: secrets, blobs, jobs and idempotent requests. */
export const platformTables = {
  /** Created at the first start and shared by all processes of an installation. */
  server_secrets: table({
    name: key().primaryKey(),
    secret: bytes(),
  }),

  /** Immutable bytes (blobs/blob-store.ts). */
  blobs: table({
    /** SHA-256 of the bytes, 64 lower-case hex characters. */
    hash: key().primaryKey(),
    /** The uncompressed size in bytes. */
    size: integer(),
    compression: text<'zstd' | 'none'>(),
    /** The compressed bytes. Null if they are in a file. */
    content: bytes().nullable(),
    /** The path of the file with the compressed bytes, relative to the blob folder. */
    file: text().nullable(),
    created_at: integer(),
    /** Since when no row is known to refer to the blob. Null while a row refers to it. */
    unused_since: integer().nullable(),
  }),

  /** The job queue (queue/queue.ts). */
  jobs: table(
    {
      id: key().primaryKey(),
      kind: key(),
      lane: key<Lane>(),
      /** The account, or the kind of a job of no account. The jobs of a lane take turns by this value. */
      turn_key: key(),
      /** At most one job of the same kind and key is in the state `created`. */
      key: key().nullable(),
      /** JSON. */
      payload: text(),
      /** The field `user` of the payload. */
      user_id: key().nullable().references('users.id', 'cascade'),
      /** A `blocked` job waits for its next attempt. */
      state: key<'created' | 'blocked' | 'doing' | 'done' | 'canceled' | 'error'>(),
      /**
       * When a worker may take the job: its start time, its next attempt, or the end of its lease. Null once
       * the job is over.
       */
      due_at: integer().nullable(),
      /** The id of the current lease. A new one is generated each time a worker takes the job. */
      lease: key().nullable(),
      attempts: integer(),
      /** From 0 to 100. */
      percent: real(),
      progress_text: text().nullable(),
      /** JSON array of errors, each with code, message and time. */
      errors: text(),
      created_at: integer(),
      updated_at: integer(),
      done_at: integer().nullable(),
    },
    {
      indexes: [
        index('jobs_done', ['done_at'], 'done_at is not null'),
        index('jobs_due', ['lane', 'turn_key', 'due_at', 'id'], 'due_at is not null'),
        index('jobs_of_user', ['user_id'], 'user_id is not null'),
        uniqueIndex('jobs_waiting', ['kind', 'key'], "state = 'created'"),
      ],
    },
  ),

  /** Requests with an idempotency key, kept for a day so that the client can send them again. */
  idempotent_requests: table(
    {
      user_id: key().references('users.id', 'cascade'),
      /** The id of the app, or nothing, a space, and the key that the client chose. */
      key: key(),
      /** Hash of the address and body of the request. */
      request: key(),
      /** The id of the attempt that executes the request. Another attempt may take over when this one is lost. */
      attempt: key(),
      /** When the attempt last reported that it runs, in milliseconds since 1970. */
      alive_at: integer(),
      /** Whether the request has changed data. */
      carried_out: flag(),
      /**
       * The answer as JSON. Null while the request is running, or if its server stopped before it was
       * answered.
       */
      answer: text().nullable(),
      created_at: integer(),
    },
    {
      primaryKey: ['user_id', 'key'],
      indexes: [index('idempotent_requests_by_created_at', ['created_at'])],
    },
  ),
}

export type BlobsTable = RowOf<typeof platformTables.blobs>
export type JobsTable = RowOf<typeof platformTables.jobs>
export type IdempotentRequestsTable = RowOf<typeof platformTables.idempotent_requests>
