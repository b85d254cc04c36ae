import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** What rosters, long lists of members, and those who come by an invitation need. */
export const extendSchools: Migration = {
  name: '007-rosters',
  async up({ db, types }) {
    const { schema } = db
    // A class by its name.
    await schema
      .createIndex('groups_by_organization_and_name')
      .on('groups')
      .columns(['organization_id', 'name_key', 'type'])
      .execute()
    // Test students are a few among thousands.
    for (const key of ['created_at', 'name_key', 'username_key', 'last_activity_at'] as const) {
      await schema
        .createIndex(`users_testing_by_${key}`)
        .on('users')
        .columns(['organization_id', key, 'id'])
        .where(sql<number>`is_test_student`, '=', sql.lit(1))
        .execute()
    }
    // One that is for one use stays used when who used it is deleted.
    await schema.alterTable('invitations').addColumn('used_at', types.integer).execute()
  },
}
