import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** What the draft of a grade is of and made of, and whether a grade was made of answers alone. */
export const extendGrades: Migration = {
  name: '019-grades',
  async up({ db, types }) {
    const submissions = () => db.schema.alterTable('submissions')
    await submissions().addColumn('draft_max_points', types.real).execute()
    await submissions().addColumn('draft_rubric', types.text).execute()
    // Of those that are there nobody knows: they stay as if teachers had given them.
    await submissions()
      .addColumn('graded_by_itself', types.integer, (column) => column.notNull().defaultTo(0))
      .execute()
    await sql`update submissions set draft_max_points = (
      select max_points from assignments where assignments.id = submissions.assignment_id
    ) where draft_grade is not null`.execute(db)
  },
}
