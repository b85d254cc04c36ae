import { sql } from 'kysely'
import type { Migration, MigrationTools } from '../migrate.ts'

/** What students hand in, what becomes of it, and what is said of it. */
export const createSubmissions: Migration = {
  name: '009-submissions',
  async up(tools) {
    await createSubmissionTables(tools)
    await createHistory(tools)
    await createComments(tools)
    await extendOthers(tools)
  },
}

async function createSubmissionTables({ createTable, db, types }: MigrationTools): Promise<void> {
  await createTable('submissions')
    .addColumn('id', types.key, (column) => column.primaryKey())
    .addColumn('assignment_id', types.key, (column) =>
      column.notNull().references('assignments.id').onDelete('cascade'),
    )
    .addColumn('class_id', types.key, (column) => column.notNull().references('classes.id').onDelete('cascade'))
    .addColumn('creator_id', types.key, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('group_id', types.key, (column) => column.references('groups.id').onDelete('set null'))
    .addColumn('holder_id', types.key, (column) => column.notNull())
    .addColumn('state', types.key, (column) => column.notNull())
    .addColumn('grade', types.real)
    .addColumn('draft_grade', types.real)
    .addColumn('max_points', types.real)
    .addColumn('rubric', types.text)
    .addColumn('exercises_ids', types.text)
    .addColumn('answers', types.text)
    .addColumn('playback', types.text, (column) => column.notNull())
    .addColumn('has_copies', types.integer, (column) => column.notNull())
    .addColumn('last_event', types.integer, (column) => column.notNull())
    .addColumn('last_comment', types.integer, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addColumn('submitted_at', types.integer)
    .addColumn('returned_at', types.integer)
    .addColumn('return_creator_id', types.key)
    .execute()
  await db.schema
    .createIndex('submissions_by_assignment')
    .unique()
    .on('submissions')
    .columns(['assignment_id', 'holder_id'])
    .execute()
  await db.schema.createIndex('submissions_by_class').on('submissions').columns(['class_id', 'assignment_id']).execute()
  for (const holder of ['creator', 'group']) {
    await db.schema
      .createIndex(`submissions_by_${holder}`)
      .on('submissions')
      .columns([`${holder}_id`, 'assignment_id'])
      .execute()
  }

  await createTable('submission_attachments')
    .addColumn('submission_id', types.key, (column) =>
      column.notNull().references('submissions.id').onDelete('cascade'),
    )
    .addColumn('position', types.integer, (column) => column.notNull())
    .addColumn('type', types.key, (column) => column.notNull())
    .addColumn('score_id', types.key, (column) => column.references('scores.id').onDelete('cascade'))
    .addColumn('revision_id', types.key)
    .addColumn('part_uuid', types.key)
    .addColumn('sharing_mode', types.key)
    .addColumn('lock_score_template', types.integer, (column) => column.notNull())
    .addColumn('dedicated', types.integer, (column) => column.notNull())
    .addColumn('track_id', types.key, (column) => column.references('score_tracks.id').onDelete('set null'))
    .addColumn('worksheet', types.text)
    .addColumn('url', types.text)
    .addColumn('google_drive_file_id', types.text)
    .addPrimaryKeyConstraint('submission_attachments_key', ['submission_id', 'position'])
    .execute()
  for (const column of ['score_id', 'track_id']) {
    await db.schema
      .createIndex(`submission_attachments_by_${column}`)
      .on('submission_attachments')
      .column(column)
      .execute()
  }
}

async function createHistory({ createTable, types }: MigrationTools): Promise<void> {
  await createTable('submission_history')
    .addColumn('submission_id', types.key, (column) =>
      column.notNull().references('submissions.id').onDelete('cascade'),
    )
    .addColumn('number', types.integer, (column) => column.notNull())
    .addColumn('user_ids', types.text, (column) => column.notNull())
    .addColumn('state', types.key, (column) => column.notNull())
    .addColumn('grade', types.real)
    .addColumn('draft_grade', types.real)
    .addColumn('max_points', types.real)
    .addColumn('due_at', types.integer)
    .addColumn('score_id', types.key)
    .addColumn('revision_id', types.key)
    .addColumn('title', types.text)
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('submission_history_key', ['submission_id', 'number'])
    .execute()
}

async function createComments({ createTable, db, types }: MigrationTools): Promise<void> {
  await createTable('submission_comments')
    .addColumn('id', types.key, (column) => column.primaryKey())
    .addColumn('submission_id', types.key, (column) =>
      column.notNull().references('submissions.id').onDelete('cascade'),
    )
    .addColumn('number', types.integer, (column) => column.notNull())
    .addColumn('user_id', types.key, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('comment', types.text, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addColumn('modified_at', types.integer)
    .execute()
  await db.schema
    .createIndex('submission_comments_by_submission')
    .unique()
    .on('submission_comments')
    .columns(['submission_id', 'number'])
    .execute()
  await db.schema.createIndex('submission_comments_by_user').on('submission_comments').column('user_id').execute()
  await createTable('submission_readers')
    .addColumn('submission_id', types.key, (column) =>
      column.notNull().references('submissions.id').onDelete('cascade'),
    )
    .addColumn('user_id', types.key, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('last_read', types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('submission_readers_key', ['submission_id', 'user_id'])
    .execute()
  await db.schema.createIndex('submission_readers_by_user').on('submission_readers').column('user_id').execute()
}

async function extendOthers({ db, types }: MigrationTools): Promise<void> {
  // What a worksheet asks.
  await db.schema.alterTable('assignments').addColumn('exercises', types.text).execute()
  // Access to what was handed in: it follows from the submission, and goes with it.
  await db.schema
    .alterTable('grants')
    .addColumn('submission_id', types.key, (column) => column.references('submissions.id').onDelete('cascade'))
    .execute()
  // From an assignment itself a holder has one grant on a score, and one from each submission to it.
  for (const holder of ['user_id', 'group_id'] as const) {
    const name = `grants_by_assignment_id_and_${holder}`
    await db.schema.dropIndex(name).execute()
    for (const [follows, columns, from] of [
      [name, ['assignment_id', 'score_id', holder], sql`assignment_id is not null and submission_id is null`],
      [`grants_by_submission_id_and_${holder}`, ['submission_id', 'score_id', holder], sql`submission_id is not null`],
    ] as const) {
      const given = sql<boolean>`${from} and ${sql.ref(holder)} is not null`
      await db.schema
        .createIndex(follows)
        .unique()
        .on('grants')
        .columns([...columns])
        .where(given)
        .execute()
    }
  }
  await db.schema.createIndex('grants_by_submission_id').on('grants').column('submission_id').execute()
}
