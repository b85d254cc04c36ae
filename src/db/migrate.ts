import { type CreateTableBuilder, type Kysely, sql } from 'kysely'
import { type ColumnTypes, columnTypes } from './column-types.ts'
import type { Database } from './database.ts'
import type { DialectName } from './dialects.ts'

/** One step of the tables' history. It is frozen once it has landed: a change of mind is a further step. */
export interface Migration {
  /** `001-jobs`: the number orders the steps, and the database remembers the whole name. */
  readonly name: string
  /** Runs in a transaction of its own, and awaits nothing but `tools.db`. */
  up(tools: MigrationTools): Promise<void>
}

export interface MigrationTools {
  /** The schema builder and, through `withTables`, the rows of the tables as they were at this step. */
  readonly db: Kysely<unknown>
  readonly types: ColumnTypes
  /** Begins a table: one that takes no value of another type than its columns say, on either database. */
  createTable(name: string): CreateTableBuilder<string>
}

type Applied = { migrations: { name: string; applied_at: number } }

const whetherAnyApplied = {
  sqlite: sql`select 1 from sqlite_schema where name = 'migrations'`,
  postgres: sql`select 1 where to_regclass('migrations') is not null`,
}

/**
 * Brings the tables up to the newest of `migrations` and resolves to the names of those that were applied now. Each
 * runs in a transaction that no other process's migration runs beside, so that two servers may start at once.
 *
 * @throws Error where the database has had a migration that this version does not know: it belongs to a newer one.
 */
export async function migrate(db: Database, migrations: readonly Migration[]): Promise<string[]> {
  const applied: string[] = []
  if ((await pendingMigrations(db, migrations)).length === 0) return applied
  for (;;) {
    const name = await db.exclusive((tx) => applyNext(tx, db.dialect, migrations))
    if (name === undefined) return applied
    applied.push(name)
  }
}

/** The names of the migrations that the database has not had yet. Only reads. @throws as `migrate` does */
export async function pendingMigrations(db: Database, migrations: readonly Migration[]): Promise<string[]> {
  return db.snapshot(async (snapshot) => {
    const { rows } = await whetherAnyApplied[db.dialect].execute(snapshot)
    const applied = rows.length > 0 ? await appliedNames(snapshot as unknown as Kysely<unknown>) : []
    return missing(migrations, applied).map(({ name }) => name)
  })
}

async function applyNext(
  db: Kysely<unknown>,
  dialect: DialectName,
  migrations: readonly Migration[],
): Promise<string | undefined> {
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
    .execute()
  const [next] = missing(migrations, await appliedNames(db))
  if (!next) return undefined
  await next.up(tools)
  const log = db.withTables<Applied>()
  await log.insertInto('migrations').values({ name: next.name, applied_at: Date.now() }).execute()
  return next.name
}

async function appliedNames(db: Kysely<unknown>): Promise<string[]> {
  const rows = await db.withTables<Applied>().selectFrom('migrations').select('name').orderBy('name').execute()
  return rows.map(({ name }) => name)
}

function missing(migrations: readonly Migration[], applied: readonly string[]): Migration[] {
  const unknown = applied.filter((name) => !migrations.some((migration) => migration.name === name))
  if (unknown.length > 0) {
    throw new Error(
      `The database was migrated by a newer version of Partita, which knows ${unknown.join(', ')}. ` +
        'Start that version, or restore a backup that this version made.',
    )
  }
  return migrations.filter(({ name }) => !applied.includes(name))
}
