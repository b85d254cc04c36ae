import { sql } from 'kysely'
import type { Migration } from '../migrate.ts'

/** What is read to show the audit log, and to find all that refers to somebody who goes. */
export const indexRights: Migration = {
  name: '017-rights',
  async up({ db }) {
    await db.schema
      .createIndex('audit_events_by_organization_and_action')
      .on('audit_events')
      .columns(['organization_id', 'action', 'id'])
      .execute()
    for (const column of ['actor_id', 'subject_id']) {
      await db.schema
        .createIndex(`audit_events_by_${column}`)
        .on('audit_events')
        .columns([column, 'id'])
        .where(sql<boolean>`${sql.ref(column)} is not null`)
        .execute()
    }
    await db.schema
      .createIndex('users_by_removed_by')
      .on('users')
      .column('removed_by')
      .where('removed_by', 'is not', null)
      .execute()
    await db.schema.createIndex('invitations_by_invited_by').on('invitations').column('invited_by').execute()
    await db.schema
      .createIndex('score_comments_with_mentions')
      .on('score_comments')
      .column('id')
      .where(sql<boolean>`mentions <> '[]'`)
      .execute()
    for (const table of ['assignment_attachments', 'submission_attachments']) {
      await db.schema
        .createIndex(`${table}_by_url`)
        .on(table)
        .column('url')
        .where(sql<boolean>`url is not null`)
        .execute()
    }
  },
}
