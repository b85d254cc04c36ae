import { sql } from 'kysely'
import type { Migration, MigrationTools } from '../migrate.ts'

/** Organizations that keep their people, classes and groups themselves. */
export const createSchools: Migration = {
  name: '006-schools',
  async up(tools) {
    await extendOrganizations(tools)
    await extendUsers(tools)
    await createClasses(tools)
    await createInvitations(tools)
    await createSignIn(tools)
    await createAuditLog(tools)
  },
}

async function extendOrganizations({ db, types }: MigrationTools): Promise<void> {
  const organizations = db.schema.alterTable('organizations')
  await organizations.addColumn('max_seats', types.integer).execute()
  await organizations
    .addColumn('allows_sign_up_by_code', types.integer, (column) => column.notNull().defaultTo(0))
    .execute()
  await organizations.addColumn('retention_days', types.integer, (column) => column.notNull().defaultTo(30)).execute()
}

async function extendUsers({ db, types }: MigrationTools): Promise<void> {
  const users = db.schema.alterTable('users')
  await users.addColumn('name_key', types.key, (column) => column.notNull().defaultTo('')).execute()
  await users.addColumn('search_key', types.text, (column) => column.notNull().defaultTo('')).execute()
  await users.addColumn('last_activity_at', types.integer, (column) => column.notNull().defaultTo(0)).execute()
  await users.addColumn('is_test_student', types.integer, (column) => column.notNull().defaultTo(0)).execute()
  // When the account and what belongs to it is deleted for good; from being removed until then nobody can use it.
  await users.addColumn('deletion_at', types.integer).execute()
  await users.addColumn('removed_by', types.key).execute()
  await users.addColumn('external_id', types.key).execute()
  await sql`update users set name_key = username_key, search_key = username_key`.execute(db)
  for (const key of ['created_at', 'name_key', 'username_key', 'last_activity_at'] as const) {
    await db.schema
      .createIndex(`users_by_organization_and_${key}`)
      .on('users')
      .columns(['organization_id', key, 'id'])
      .execute()
    await db.schema
      .createIndex(`users_by_role_and_${key}`)
      .on('users')
      .columns(['organization_id', 'organization_role', key, 'id'])
      .execute()
  }
  await db.schema
    .createIndex('users_by_external_id')
    .unique()
    .on('users')
    .columns(['organization_id', 'external_id'])
    .execute()
  await db.schema
    .createIndex('users_by_deletion_at')
    .on('users')
    .columns(['deletion_at', 'id'])
    .where('deletion_at', 'is not', null)
    .execute()
}

async function createClasses({ createTable, db, types }: MigrationTools): Promise<void> {
  await createTable('classes')
    .addColumn('id', types.key, (column) => column.primaryKey())
    .addColumn('organization_id', types.key, (column) => column.notNull().references('organizations.id'))
    .addColumn('owner_id', types.key, (column) => column.notNull().references('users.id'))
    .addColumn('state', types.key, (column) => column.notNull())
    .addColumn('name', types.text, (column) => column.notNull())
    .addColumn('section', types.text)
    .addColumn('level', types.key)
    .addColumn('skills_focused', types.text)
    .addColumn('size', types.real)
    .addColumn('enrollment_code', types.key, (column) => column.notNull())
    .addColumn('external_id', types.key)
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addColumn('modified_at', types.integer, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('classes_by_enrollment_code').unique().on('classes').column('enrollment_code').execute()
  await db.schema.createIndex('classes_by_organization').on('classes').columns(['organization_id', 'state']).execute()
  await db.schema.createIndex('classes_by_owner').on('classes').column('owner_id').execute()
  await db.schema
    .createIndex('classes_by_external_id')
    .unique()
    .on('classes')
    .columns(['organization_id', 'external_id'])
    .execute()

  const groups = db.schema.alterTable('groups')
  await groups
    .addColumn('class_id', types.key, (column) => column.references('classes.id').onDelete('cascade'))
    .execute()
  await groups.addColumn('tags', types.text, (column) => column.notNull().defaultTo('[]')).execute()
  await db.schema
    .createIndex('groups_by_class')
    .unique()
    .on('groups')
    .columns(['class_id', 'type', 'name_key'])
    .execute()
}

async function createInvitations({ createTable, db, types }: MigrationTools): Promise<void> {
  await createTable('invitations')
    .addColumn('id', types.key, (column) => column.primaryKey())
    .addColumn('organization_id', types.key, (column) => column.notNull().references('organizations.id'))
    .addColumn('role', types.key, (column) => column.notNull())
    .addColumn('code', types.key, (column) => column.notNull())
    .addColumn('email', types.text)
    .addColumn('email_key', types.key)
    .addColumn('invited_by', types.key, (column) => column.notNull())
    .addColumn('allows_multiple_use', types.integer, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('invitations_by_code').unique().on('invitations').column('code').execute()
  await db.schema
    .createIndex('invitations_by_organization')
    .on('invitations')
    .columns(['organization_id', 'created_at', 'id'])
    .execute()
  await db.schema
    .createIndex('invitations_by_role')
    .on('invitations')
    .columns(['organization_id', 'role', 'created_at', 'id'])
    .execute()
  await db.schema.createIndex('invitations_by_email_key').on('invitations').column('email_key').execute()
  await createTable('invitation_uses')
    .addColumn('invitation_id', types.key, (column) =>
      column.notNull().references('invitations.id').onDelete('cascade'),
    )
    .addColumn('user_id', types.key, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint('invitation_uses_key', ['invitation_id', 'user_id'])
    .execute()
  await db.schema.createIndex('invitation_uses_by_user').on('invitation_uses').column('user_id').execute()
}

async function createSignIn({ createTable, db, types }: MigrationTools): Promise<void> {
  await createTable('sign_in_links')
    .addColumn('hash', types.key, (column) => column.primaryKey())
    .addColumn('user_id', types.key, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('destination', types.text, (column) => column.notNull())
    .addColumn('created_by', types.key, (column) => column.notNull())
    .addColumn('expires_at', types.integer, (column) => column.notNull())
    .execute()
  await createTable('sessions')
    .addColumn('hash', types.key, (column) => column.primaryKey())
    .addColumn('user_id', types.key, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addColumn('expires_at', types.integer, (column) => column.notNull())
    .execute()
  for (const table of ['sign_in_links', 'sessions']) {
    for (const column of ['user_id', 'expires_at']) {
      await db.schema.createIndex(`${table}_by_${column}`).on(table).column(column).execute()
    }
  }
  await db.schema.createIndex('sign_in_links_by_created_by').on('sign_in_links').column('created_by').execute()
  // Who had a token made for somebody else; null for one's own.
  await db.schema.alterTable('access_tokens').addColumn('created_by', types.key).execute()
  await db.schema.createIndex('access_tokens_by_created_by').on('access_tokens').column('created_by').execute()
}

async function createAuditLog({ createTable, db, types }: MigrationTools): Promise<void> {
  await createTable('audit_events')
    .addColumn('id', types.key, (column) => column.primaryKey())
    .addColumn('organization_id', types.key)
    .addColumn('actor_id', types.key)
    .addColumn('action', types.key, (column) => column.notNull())
    .addColumn('subject_id', types.key)
    .addColumn('details', types.text, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('audit_events_by_organization')
    .on('audit_events')
    .columns(['organization_id', 'id'])
    .execute()
}
