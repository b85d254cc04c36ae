import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/**
 * Who has attached a score to an assignment: a library opens a score as long as that person may read it. And whether the
 * score was made for the assignment, when that was copied. Of what is attached already the maker of the assignment counts.
 */
export const extendLibraries: Migration = {
  name: '020-libraries',
  async up({ db, types }) {
    const attachments = db.schema.alterTable('assignment_attachments')
    await attachments
      .addColumn('attached_by', types.key, (column) => column.references('users.id').onDelete('set null'))
      .execute()
    await attachments.addColumn('is_copy', types.integer, (column) => column.notNull().defaultTo(0)).execute()
    await sql`
      update assignment_attachments set attached_by = (
        select users.id from assignments inner join users on users.id = assignments.creator_id
        where assignments.id = assignment_attachments.assignment_id)
      where score_id is not null`.execute(db)
    await db.schema
      .createIndex('assignment_attachments_by_attached_by')
      .on('assignment_attachments')
      .column('attached_by')
      .execute()
  },
}
