import type { Migration } from '../migrate.ts'

/** What was answered to requests that their senders may send again. */
export const createIdempotency: Migration = {
  name: '012-idempotency',
  async up({ createTable, db, types }) {
    await createTable('idempotent_requests')
      .addColumn('user_id', types.key, (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('key', types.key, (column) => column.notNull())
      .addColumn('request', types.key, (column) => column.notNull())
      .addColumn('carried_out', types.integer, (column) => column.notNull())
      .addColumn('answer', types.text)
      .addColumn('created_at', types.integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('idempotent_requests_key', ['user_id', 'key'])
      .execute()
    await db.schema
      .createIndex('idempotent_requests_by_created_at')
      .on('idempotent_requests')
      .columns(['created_at'])
      .execute()
  },
}
