import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

export const createJobs: Migration = {
  name: '002-jobs',
  async up({ db, types, createTable }) {
    await createTable('jobs')
      .addColumn('id', types.key, (column) => column.primaryKey())
      .addColumn('kind', types.key, (column) => column.notNull())
      .addColumn('key', types.key)
      .addColumn('payload', types.text, (column) => column.notNull())
      .addColumn('state', types.key, (column) => column.notNull())
      .addColumn('due_at', types.integer)
      .addColumn('lease', types.key)
      .addColumn('attempts', types.integer, (column) => column.notNull())
      .addColumn('percent', types.real, (column) => column.notNull())
      .addColumn('progress_text', types.text)
      .addColumn('errors', types.text, (column) => column.notNull())
      .addColumn('created_at', types.integer, (column) => column.notNull())
      .addColumn('updated_at', types.integer, (column) => column.notNull())
      .addColumn('done_at', types.integer)
      .execute()
    await db.schema
      .createIndex('jobs_due')
      .on('jobs')
      .columns(['due_at', 'id'])
      .where('due_at', 'is not', null)
      .execute()
    await db.schema.createIndex('jobs_done').on('jobs').column('done_at').where('done_at', 'is not', null).execute()
    // A key that is null is like no other.
    await db.schema
      .createIndex('jobs_waiting')
      .unique()
      .on('jobs')
      .columns(['kind', 'key'])
      .where(sql<boolean>`state = 'created'`)
      .execute()
  },
}
