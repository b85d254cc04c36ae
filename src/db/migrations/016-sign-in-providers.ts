import type { Migration } from '../migrate.ts'

/** Where the members of an organization sign in that is not here. */
export const createSignInProviders: Migration = {
  name: '016-sign-in-providers',
  async up({ createTable, db, types }) {
    await createTable('sign_in_providers')
      .addColumn('name', types.key, (column) => column.primaryKey())
      .addColumn('organization_id', types.key, (column) => column.notNull().references('organizations.id'))
      .addColumn('label', types.text, (column) => column.notNull())
      .addColumn('issuer', types.text, (column) => column.notNull())
      .addColumn('client_id', types.text, (column) => column.notNull())
      .addColumn('client_secret', types.text, (column) => column.notNull())
      .addColumn('rules', types.text, (column) => column.notNull())
      .addColumn('created_at', types.integer, (column) => column.notNull())
      .execute()
    // Each account has one there, and one there is of one account.
    await createTable('provider_accounts')
      .addColumn('provider', types.key, (column) =>
        column.notNull().references('sign_in_providers.name').onDelete('cascade'),
      )
      .addColumn('subject', types.key, (column) => column.notNull())
      .addColumn('user_id', types.key, (column) => column.notNull().references('users.id').onDelete('cascade'))
      .addColumn('created_at', types.integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('provider_accounts_key', ['provider', 'subject'])
      .addUniqueConstraint('provider_accounts_by_user', ['user_id', 'provider'])
      .execute()
    await createTable('provider_sign_ins')
      .addColumn('hash', types.key, (column) => column.primaryKey())
      .addColumn('provider', types.key, (column) =>
        column.notNull().references('sign_in_providers.name').onDelete('cascade'),
      )
      .addColumn('destination', types.text, (column) => column.notNull())
      .addColumn('expires_at', types.integer, (column) => column.notNull())
      .execute()
    for (const column of ['expires_at', 'provider']) {
      await db.schema.createIndex(`provider_sign_ins_by_${column}`).on('provider_sign_ins').column(column).execute()
    }
  },
}
