import { type CreateTableBuilder, type Kysely, sql } from 'kysely'
import { type ColumnTypes, columnTypes } from './column-types.ts'
import type { Database } from './database.ts'
import type { DialectName } from './dialects.ts'

/** One migration step. A released step is never changed: a correction is a further step. */
export interface Migration {
  /** For example `001-jobs`. The number defines the order. The database stores the whole name. */
  readonly name: string
  /**
   * The migration creates the tables as they are now. On an empty database it counts as all migrations: those after it are
   * recorded as applied and do not run. Only the first migration may be a baseline.
   */
  readonly isBaseline?: boolean
  /** The hash of the table definitions from which a baseline creates the tables (schema-hash.ts). */
  readonly schemaHash?: string
  /** Runs in its own transaction, and must await only `tools.db`. */
  up(tools: MigrationTools): Promise<void>
}

export interface MigrationTools {
  /** The schema builder. With `withTables` it also reads and writes the tables as they were at this step. */
  readonly db: Kysely<unknown>
  readonly types: ColumnTypes
  /** Starts the definition of a table that refuses values of a wrong type on both databases. */
  createTable(name: string): CreateTableBuilder<string>
}

/** `schema_hash` is the hash of the table definitions when the migration was applied. */
type AppliedMigration = { name: string; applied_at: number; schema_hash: string | null }
type MigrationTables = { migrations: AppliedMigration }

const migrationTableExists = {
  sqlite: sql`select 1 from sqlite_schema where name = 'migrations'`,
  postgres: sql`select 1 where to_regclass('migrations') is not null`,
}

/**
 * Applies the migrations that the database does not have yet. Resolves to the names of the applied ones. Each
 * migration runs in a transaction that excludes migrations of other processes, so that two servers can start
 * concurrently.
 *
 * @throws Error if the database has a migration that this version does not know, because a newer version
 *   created it, or if no migration is missing and the tables were created from other definitions
 */
export async function migrate(db: Database, migrations: readonly Migration[]): Promise<string[]> {
  const applied: string[] = []
  if ((await pendingMigrations(db, migrations)).length === 0) return applied
  for (;;) {
    const names = await db.exclusive((tx) => applyNext(tx, db.dialect, migrations))
    if (names.length === 0) return applied
    applied.push(...names)
  }
}

/**
 * Returns the names of the migrations that the database does not have yet. Only reads. @throws as `migrate`
 * does
 */
export async function pendingMigrations(db: Database, migrations: readonly Migration[]): Promise<string[]> {
  return db.snapshot(async (snapshot) => {
    const { rows } = await migrationTableExists[db.dialect].execute(snapshot)
    const applied = rows.length > 0 ? await listApplied(snapshot as unknown as Kysely<unknown>) : []
    return missingOf(migrations, applied).map(({ name }) => name)
  })
}

async function applyNext(
  db: Kysely<unknown>,
  dialect: DialectName,
  migrations: readonly Migration[],
): Promise<string[]> {
  const tools: MigrationTools = {
    db,
    types: columnTypes[dialect],
    createTable(name) {
      const table = db.schema.createTable(name)
      return dialect === 'sqlite' ? table.modifyEnd(sql`strict`) : table
    },
  }
  await tools
    .createTable('migrations')
    .ifNotExists()
    .addColumn('name', tools.types.key, (column) => column.primaryKey())
    .addColumn('applied_at', tools.types.integer, (column) => column.notNull())
    .addColumn('schema_hash', tools.types.text)
    .execute()
  const missingMigrations = missingOf(migrations, await listApplied(db))
  const [next] = missingMigrations
  if (!next) return []
  await next.up(tools)
  const names = (next.isBaseline ? missingMigrations : [next]).map(({ name }) => name)
  const log = db.withTables<MigrationTables>()
  const applied = { applied_at: Date.now(), schema_hash: migrations[0]?.schemaHash ?? null }
  await log
    .insertInto('migrations')
    .values(names.map((name) => ({ name, ...applied })))
    .execute()
  return names
}

/** Databases of the first development versions have no column `schema_hash`. */
async function listApplied(db: Kysely<unknown>): Promise<AppliedMigration[]> {
  return db.withTables<MigrationTables>().selectFrom('migrations').selectAll().orderBy('name').execute()
}

function missingOf(migrations: readonly Migration[], applied: readonly AppliedMigration[]): Migration[] {
  const unknown = applied.filter(({ name }) => !migrations.some((migration) => migration.name === name))
  if (unknown.length > 0) {
    throw new Error(
      `The database was migrated by a newer version of Partita, which knows ${unknown.map(({ name }) => name).join(', ')}. ` +
        'Start that version, or restore a backup that this version made.',
    )
  }
  const missingMigrations = migrations.filter(({ name }) => !applied.some((one) => one.name === name))
  const schemaHash = migrations[0]?.schemaHash
  if (missingMigrations.length === 0 && schemaHash && applied.at(-1)?.schema_hash !== schemaHash) {
    throw new Error(
      'The database was created by another development version of Partita; its tables are not those of this version, ' +
        'and no migration converts them. Delete the database, or set another DATA_DIR or DATABASE_URL.',
    )
  }
  return missingMigrations
}
