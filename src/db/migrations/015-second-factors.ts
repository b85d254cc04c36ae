import { sql } from 'kysely'
import type { Migration, MigrationTools } from '../migrate.ts'

/** Signing in by more than a password, and addresses that people show to be theirs. */
export const createSecondFactors: Migration = {
  name: '015-second-factors',
  async up(tools) {
    await createFactors(tools)
    await createEmailVerifications(tools)
  },
}

async function createFactors({ createTable, db, types }: MigrationTools): Promise<void> {
  await createTable('second_factors')
    .addColumn('user_id', types.key, (column) => column.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('secret', types.bytes, (column) => column.notNull())
    .addColumn('confirmed_at', types.integer)
    .addColumn('last_step', types.integer, (column) => column.notNull())
    .execute()
  await createTable('recovery_codes')
    .addColumn('user_id', types.key, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('hash', types.key, (column) => column.notNull())
    .addPrimaryKeyConstraint('recovery_codes_key', ['user_id', 'hash'])
    .execute()
  await createTable('pending_sign_ins')
    .addColumn('hash', types.key, (column) => column.primaryKey())
    .addColumn('user_id', types.key, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('expires_at', types.integer, (column) => column.notNull())
    .execute()
  await db.schema.createIndex('pending_sign_ins_by_user_id').on('pending_sign_ins').column('user_id').execute()
  await db.schema.createIndex('pending_sign_ins_by_expires_at').on('pending_sign_ins').column('expires_at').execute()
}

async function createEmailVerifications({ createTable, db, types }: MigrationTools): Promise<void> {
  await createTable('email_verifications')
    .addColumn('user_id', types.key, (column) => column.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('email', types.text, (column) => column.notNull())
    .addColumn('hash', types.key, (column) => column.unique())
    .addColumn('expires_at', types.integer, (column) => column.notNull())
    .execute()
  const byEnd = db.schema.createIndex('email_verifications_by_expires_at').on('email_verifications')
  await byEnd.column('expires_at').execute()
  // An address has been shown to be one person's.
  await db.schema
    .createIndex('users_by_verified_email')
    .unique()
    .on('users')
    .column('email_key')
    .where(sql.ref('email_verified'), '=', 1)
    .execute()
}
