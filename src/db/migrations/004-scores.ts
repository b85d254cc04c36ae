import type { Migration } from '../migrate.ts'

export const createScores: Migration = {
  name: '004-scores',
  async up({ types, createTable, db }) {
    await createTable('scores')
      .addColumn('id', types.key, (column) => column.primaryKey())
      .addColumn('owner_id', types.key, (column) => column.notNull().references('users.id'))
      .addColumn('title', types.text, (column) => column.notNull())
      .addColumn('title_key', types.key, (column) => column.notNull())
      .addColumn('subtitle', types.text)
      .addColumn('composer', types.text)
      .addColumn('lyricist', types.text)
      .addColumn('arranger', types.text)
      .addColumn('description', types.text)
      .addColumn('tags', types.text, (column) => column.notNull())
      .addColumn('creation_type', types.key)
      .addColumn('license', types.key)
      .addColumn('license_text', types.text)
      .addColumn('privacy', types.key, (column) => column.notNull())
      .addColumn('sharing_key', types.key)
      .addColumn('parent_score_id', types.key)
      .addColumn('last_revision_id', types.key, (column) => column.notNull())
      .addColumn('instruments', types.text, (column) => column.notNull())
      .addColumn('duration', types.real, (column) => column.notNull())
      .addColumn('measures', types.integer, (column) => column.notNull())
      .addColumn('tempo_qpm', types.real)
      .addColumn('key_fifths', types.integer)
      .addColumn('views', types.integer, (column) => column.notNull())
      .addColumn('created_at', types.integer, (column) => column.notNull())
      .addColumn('modified_at', types.integer, (column) => column.notNull())
      .addColumn('published_at', types.integer)
      .addColumn('trashed', types.integer, (column) => column.notNull())
      .addColumn('deletion_at', types.integer)
      .execute()
    for (const key of ['created_at', 'modified_at', 'title_key']) {
      await db.schema
        .createIndex(`scores_by_owner_and_${key}`)
        .on('scores')
        .columns(['owner_id', 'trashed', key, 'id'])
        .execute()
    }
    await db.schema
      .createIndex('scores_by_deletion_at')
      .on('scores')
      .columns(['deletion_at', 'id'])
      .where('deletion_at', 'is not', null)
      .execute()

    await createTable('score_revisions')
      .addColumn('id', types.key, (column) => column.primaryKey())
      .addColumn('score_id', types.key, (column) => column.notNull().references('scores.id').onDelete('cascade'))
      .addColumn('user_id', types.key, (column) => column.notNull())
      .addColumn('description', types.text)
      .addColumn('autosave', types.integer, (column) => column.notNull())
      .addColumn('document_blob', types.key, (column) => column.notNull())
      .addColumn('source_blob', types.key)
      .addColumn('source_format', types.key)
      .addColumn('part_uuids', types.text, (column) => column.notNull())
      .addColumn('duration', types.real, (column) => column.notNull())
      .addColumn('notes_added', types.integer, (column) => column.notNull())
      .addColumn('notes_deleted', types.integer, (column) => column.notNull())
      .addColumn('created_at', types.integer, (column) => column.notNull())
      .execute()
    await db.schema.createIndex('score_revisions_by_score').on('score_revisions').columns(['score_id', 'id']).execute()
    // The sweep asks for each blob whether something still refers to it.
    for (const column of ['document_blob', 'source_blob']) {
      await db.schema.createIndex(`score_revisions_by_${column}`).on('score_revisions').column(column).execute()
    }

    await createTable('score_exports')
      .addColumn('revision_id', types.key, (column) =>
        column.notNull().references('score_revisions.id').onDelete('cascade'),
      )
      .addColumn('variant', types.key, (column) => column.notNull())
      .addColumn('blob', types.key, (column) => column.notNull())
      .addColumn('created_at', types.integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('score_exports_key', ['revision_id', 'variant'])
      .execute()
    await db.schema.createIndex('score_exports_by_blob').on('score_exports').column('blob').execute()

    await createTable('score_views')
      .addColumn('score_id', types.key, (column) => column.notNull().references('scores.id').onDelete('cascade'))
      .addColumn('viewer', types.key, (column) => column.notNull())
      .addColumn('hour', types.integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('score_views_key', ['score_id', 'viewer', 'hour'])
      .execute()

    await db.schema.createIndex('score_views_by_hour').on('score_views').column('hour').execute()

    await createTable('collections')
      .addColumn('id', types.key, (column) => column.primaryKey())
      .addColumn('user_id', types.key, (column) => column.notNull().references('users.id'))
      .addColumn('type', types.key, (column) => column.notNull())
      .addColumn('app', types.key)
      .addColumn('title', types.text, (column) => column.notNull())
      .addColumn('title_key', types.key, (column) => column.notNull())
      .addColumn('created_at', types.integer, (column) => column.notNull())
      .addColumn('modified_at', types.integer, (column) => column.notNull())
      .execute()
    for (const key of ['created_at', 'modified_at', 'title_key']) {
      await db.schema
        .createIndex(`collections_by_user_and_${key}`)
        .on('collections')
        .columns(['user_id', key, 'id'])
        .execute()
    }
    // One for each app: two first scores at once must not make two.
    await db.schema.createIndex('collections_by_app').unique().on('collections').columns(['user_id', 'app']).execute()

    await createTable('collection_scores')
      .addColumn('collection_id', types.key, (column) =>
        column.notNull().references('collections.id').onDelete('cascade'),
      )
      .addColumn('score_id', types.key, (column) => column.notNull().references('scores.id').onDelete('cascade'))
      .addColumn('trashed', types.integer, (column) => column.notNull())
      .addColumn('title_key', types.key, (column) => column.notNull())
      .addColumn('created_at', types.integer, (column) => column.notNull())
      .addColumn('modified_at', types.integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('collection_scores_key', ['collection_id', 'score_id'])
      .execute()
    await db.schema.createIndex('collection_scores_by_score').on('collection_scores').column('score_id').execute()
    for (const key of ['created_at', 'modified_at', 'title_key']) {
      await db.schema
        .createIndex(`collection_scores_by_${key}`)
        .on('collection_scores')
        .columns(['collection_id', 'trashed', key, 'score_id'])
        .execute()
    }

    await createTable('tasks')
      .addColumn('id', types.key, (column) => column.primaryKey())
      .addColumn('user_id', types.key, (column) => column.notNull().references('users.id'))
      .addColumn('job_id', types.key, (column) => column.notNull())
      .addColumn('type', types.key, (column) => column.notNull())
      .addColumn('format', types.key)
      .addColumn('score_id', types.key, (column) => column.references('scores.id').onDelete('cascade'))
      .addColumn('revision_id', types.key)
      .addColumn('sharing_key', types.key)
      .addColumn('source_blob', types.key)
      .addColumn('result_blob', types.key)
      .addColumn('result_name', types.text)
      .addColumn('result_media_type', types.text)
      .addColumn('created_at', types.integer, (column) => column.notNull())
      .execute()
    for (const column of ['user_id', 'score_id', 'source_blob', 'result_blob', 'created_at']) {
      await db.schema.createIndex(`tasks_by_${column}`).on('tasks').column(column).execute()
    }
  },
}
