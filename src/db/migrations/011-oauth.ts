import { sql } from 'kysely'
import type { Migration, MigrationTools } from '../migrate.ts'

/** Apps that people register and allow to act for them, and people who sign in themselves. */
export const createOAuth: Migration = {
  name: '011-oauth',
  async up(tools) {
    await extendApps(tools)
    await createAuthorizations(tools)
    await createSigningIn(tools)
  },
}

async function extendApps({ createTable, db, types }: MigrationTools): Promise<void> {
  await createTable('app_redirect_uris')
    .addColumn('app_id', types.key, (column) => column.notNull().references('apps.id').onDelete('cascade'))
    .addColumn('uri', types.text, (column) => column.notNull())
    .addPrimaryKeyConstraint('app_redirect_uris_key', ['app_id', 'uri'])
    .execute()
  await sql`insert into app_redirect_uris (app_id, uri) select id, redirect_uri from apps`.execute(db)
  await db.schema.alterTable('apps').dropColumn('redirect_uri').execute()
  // Others go on using an app whose maker has gone.
  await db.schema
    .alterTable('apps')
    .addColumn('owner_id', types.key, (column) => column.references('users.id').onDelete('set null'))
    .execute()
  await db.schema.createIndex('apps_by_owner').on('apps').columns(['owner_id', 'id']).execute()
  await createTable('app_logos')
    .addColumn('app_id', types.key, (column) => column.primaryKey().references('apps.id').onDelete('cascade'))
    .addColumn('media_type', types.text, (column) => column.notNull())
    .addColumn('content', types.bytes, (column) => column.notNull())
    .execute()
}

async function createAuthorizations({ createTable, db, types }: MigrationTools): Promise<void> {
  await createTable('authorizations')
    .addColumn('id', types.key, (column) => column.primaryKey())
    .addColumn('app_id', types.key, (column) => column.notNull().references('apps.id').onDelete('cascade'))
    .addColumn('user_id', types.key, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('scopes', types.text, (column) => column.notNull())
    .addColumn('is_offline', types.integer, (column) => column.notNull())
    .addColumn('created_at', types.integer, (column) => column.notNull())
    .addColumn('expires_at', types.integer, (column) => column.notNull())
    .execute()
  const ofAuthorization = db.schema.createIndex('authorizations_by_user').on('authorizations')
  await ofAuthorization.columns(['user_id', 'app_id']).execute()
  await db.schema.createIndex('authorizations_by_app').on('authorizations').column('app_id').execute()
  await createTable('authorization_codes')
    .addColumn('hash', types.key, (column) => column.primaryKey())
    .addColumn('authorization_id', types.key, (column) =>
      column.notNull().references('authorizations.id').onDelete('cascade'),
    )
    .addColumn('redirect_uri', types.text)
    .addColumn('code_challenge', types.text)
    .addColumn('expires_at', types.integer, (column) => column.notNull())
    .addColumn('used_at', types.integer)
    .execute()
  await createTable('refresh_tokens')
    .addColumn('hash', types.key, (column) => column.primaryKey())
    .addColumn('authorization_id', types.key, (column) =>
      column.notNull().references('authorizations.id').onDelete('cascade'),
    )
    .addColumn('expires_at', types.integer, (column) => column.notNull())
    .addColumn('used_at', types.integer)
    .execute()
  await db.schema
    .alterTable('access_tokens')
    .addColumn('authorization_id', types.key, (column) => column.references('authorizations.id').onDelete('cascade'))
    .execute()
  for (const table of ['authorization_codes', 'refresh_tokens', 'access_tokens']) {
    await db.schema.createIndex(`${table}_by_authorization`).on(table).column('authorization_id').execute()
  }
  for (const table of ['authorizations', 'refresh_tokens']) {
    await db.schema.createIndex(`${table}_by_expires_at`).on(table).column('expires_at').execute()
  }
  await db.schema
    .createIndex('access_tokens_of_apps_by_expires_at')
    .on('access_tokens')
    .columns(['expires_at', 'authorization_id'])
    .where('authorization_id', 'is not', null)
    .execute()
}

async function createSigningIn({ createTable, db, types }: MigrationTools): Promise<void> {
  await createTable('attempts')
    .addColumn('key', types.key, (column) => column.primaryKey())
    .addColumn('count', types.integer, (column) => column.notNull())
    .addColumn('expires_at', types.integer, (column) => column.notNull())
    .execute()
  await createTable('password_resets')
    .addColumn('hash', types.key, (column) => column.primaryKey())
    .addColumn('user_id', types.key, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('expires_at', types.integer, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('password_resets_by_user_id').on('password_resets').column('user_id').execute()
  for (const table of ['attempts', 'password_resets']) {
    await db.schema.createIndex(`${table}_by_expires_at`).on(table).column('expires_at').execute()
  }
}
