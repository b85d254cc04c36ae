import type { Migration } from '../migrate.ts'

/** Who has signed somebody else in, by a link; null where somebody has done so alone. */
export const extendSessions: Migration = {
  name: '014-sessions',
  async up({ db, types }) {
    await db.schema.alterTable('sessions').addColumn('created_by', types.key).execute()
    await db.schema.createIndex('sessions_by_created_by').on('sessions').column('created_by').execute()
  },
}
