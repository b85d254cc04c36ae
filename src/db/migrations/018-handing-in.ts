import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** Which assignments were published; which scores their owners have handed in themselves, and as which revision. */
export const extendHandingIn: Migration = {
  name: '018-handing-in',
  async up({ db, types }) {
    await db.schema.alterTable('assignments').addColumn('published_at', types.integer).execute()
    // Of those in the archive nobody knows any more. What students have seen is not hidden again.
    await sql`update assignments set published_at = modified_at where state <> 'draft'`.execute(db)
    const attachments = db.schema.alterTable('submission_attachments')
    await attachments.addColumn('by_owner', types.integer, (column) => column.notNull().defaultTo(0)).execute()
    await attachments.addColumn('handed_in_revision_id', types.key).execute()
    // Of a group nobody knows who it was; who owns the score attaches it again.
    await sql`update submission_attachments set by_owner = 1 where dedicated = 0 and exists (
      select 1 from submissions inner join scores on scores.owner_id = submissions.creator_id
        where submissions.id = submission_attachments.submission_id and submissions.group_id is null
          and scores.id = submission_attachments.score_id)`.execute(db)
  },
}
