import type { Migration } from '../migrate.ts'

export const createAccounts: Migration = {
  name: '003-accounts',
  async up({ types, createTable, db }) {
    await createTable('organizations')
      .addColumn('id', types.key, (column) => column.primaryKey())
      .addColumn('name', types.text, (column) => column.notNull())
      .addColumn('max_classes', types.integer)
      .addColumn('allows_public_scores', types.integer, (column) => column.notNull())
      .addColumn('created_at', types.integer, (column) => column.notNull())
      .execute()

    await createTable('users')
      .addColumn('id', types.key, (column) => column.primaryKey())
      .addColumn('username', types.text, (column) => column.notNull())
      .addColumn('username_key', types.key, (column) => column.notNull().unique())
      .addColumn('password_hash', types.text, (column) => column.notNull())
      .addColumn('email', types.text)
      .addColumn('email_verified', types.integer, (column) => column.notNull())
      .addColumn('firstname', types.text)
      .addColumn('lastname', types.text)
      .addColumn('organization_id', types.key, (column) => column.references('organizations.id'))
      .addColumn('organization_role', types.key)
      .addColumn('locale', types.text, (column) => column.notNull())
      .addColumn('created_at', types.integer, (column) => column.notNull())
      .execute()
    await db.schema.createIndex('users_by_organization').on('users').columns(['organization_id', 'id']).execute()

    await createTable('apps')
      .addColumn('id', types.key, (column) => column.primaryKey())
      .addColumn('name', types.text, (column) => column.notNull())
      .addColumn('redirect_uri', types.text, (column) => column.notNull())
      .addColumn('secret_hash', types.text)
      .addColumn('created_at', types.integer, (column) => column.notNull())
      .execute()

    await createTable('access_tokens')
      .addColumn('id', types.key, (column) => column.primaryKey())
      .addColumn('user_id', types.key, (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('app_id', types.key, (column) => column.references('apps.id').onDelete('cascade'))
      .addColumn('name', types.text, (column) => column.notNull())
      .addColumn('hash', types.key, (column) => column.notNull().unique())
      .addColumn('scopes', types.text, (column) => column.notNull())
      .addColumn('created_at', types.integer, (column) => column.notNull())
      .addColumn('expires_at', types.integer)
      .addColumn('last_used_at', types.integer)
      .execute()
    await db.schema.createIndex('access_tokens_by_user').on('access_tokens').columns(['user_id', 'id']).execute()

    await createTable('server_secrets')
      .addColumn('name', types.key, (column) => column.primaryKey())
      .addColumn('secret', types.bytes, (column) => column.notNull())
      .execute()
  },
}
