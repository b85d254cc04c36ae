import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { isAbsolute, normalize } from 'node:path'
import { sql } from 'kysely'
import type { Database, Queries } from '../database.ts'
import { type Migration, migrate, pendingMigrations } from '../migrate.ts'
import type { Progress } from './backup.ts'
import { type Manifest, damagedError, paths, readLines, readManifest } from './backup-format.ts'
import { deferringForeignKeys } from './foreign-keys.ts'
import { listTables, type TableShape } from './table-shapes.ts'

export interface RestoreOptions {
  /** Writes a file outside of the database. Required if the backup has files. */
  readonly writeFile?: ((name: string, bytes: Uint8Array) => Promise<void>) | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

const rowsAtOnce = 100
const bytesAtOnce = 1_000_000

/**
 * Restores a backup of either database into an empty database, and applies the newest migrations. After a
 * failure, the database contains no rows.
 *
 * @param db a database without tables, or with empty tables that are not newer than the backup's
 * @param migrations all migrations of this version
 * @throws Error with a readable message if the database is not empty, the backup is damaged, or a newer
 *   version made it
 */
export async function restoreDatabase(
  db: Database,
  directory: string,
  migrations: readonly Migration[],
  { writeFile, onProgress = () => {} }: RestoreOptions = {},
): Promise<Manifest> {
  const manifest = await readManifest(directory)
  await migrateLikeBackup(db, manifest, migrations)
  const total = manifest.tables.reduce((sum, { count }) => sum + count, manifest.files.count)
  const progress = { done: 0, total }
  const advance = (count: number) => {
    progress.done += count
    onProgress(progress)
  }

  await refuseUnlessEmpty(db.read, db)
  await restoreFiles(directory, manifest, writeFile, advance)
  await db.exclusive(async (tx) => {
    const queries = tx as unknown as Queries
    await refuseUnlessEmpty(queries, db)
    await deferringForeignKeys(tx, db.dialect, async () => {
      const shapes = new Map((await listTables(queries, db.dialect)).map((shape) => [shape.name, shape]))
      for (const table of manifest.tables) {
        const shape = shapes.get(table.name)
        if (!shape) throw new Error(`The backup has a table ${table.name} that its migrations do not create`)
        for await (const rows of batchesOf(
          readLines(paths.table(directory, table.name), table),
          table,
          shape,
        )) {
          await tx.withTables<AnyTables>().insertInto(table.name).values(rows).execute()
          advance(rows.length)
        }
      }
    })
  })
  await migrate(db, migrations)
  return manifest
}

type AnyTables = Record<string, Record<string, unknown>>

async function migrateLikeBackup(
  db: Database,
  manifest: Manifest,
  migrations: readonly Migration[],
): Promise<void> {
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = manifest.migrations.filter((name) => !known.has(name))
  if (unknown.length > 0) {
    throw new Error(`The backup was made by a newer version of Partita, which knows ${unknown.join(', ')}`)
  }
  const pending = new Set(await pendingMigrations(db, migrations))
  const newer = [...known].filter((name) => !pending.has(name) && !manifest.migrations.includes(name))
  if (newer.length > 0) {
    throw new Error(
      `The database is newer than the backup: it has ${newer.join(', ')}. Restore into a new database.`,
    )
  }
  await migrate(
    db,
    migrations.filter(({ name }) => manifest.migrations.includes(name)),
  )
}

async function refuseUnlessEmpty(queries: Queries, db: Database): Promise<void> {
  for (const { name } of await listTables(queries, db.dialect)) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(queries)
    if (rows.length > 0)
      throw new Error(`The database is not empty: ${name} has rows. Restore into a new database.`)
  }
}

async function* batchesOf(
  lines: AsyncIterable<unknown>,
  { columns }: TableShape,
  shape: TableShape,
): AsyncGenerator<Record<string, unknown>[]> {
  const areBytes = new Map(shape.columns.map(({ name, isBytes }) => [name, isBytes]))
  let batch: Record<string, unknown>[] = []
  let size = 0
  for await (const line of lines) {
    const values = line as unknown[]
    batch.push(
      Object.fromEntries(
        columns.map(({ name }, index) => {
          const value = values[index]
          if (typeof value === 'string') size += value.length
          return [
            name,
            typeof value === 'string' && areBytes.get(name) ? Buffer.from(value, 'base64') : value,
          ]
        }),
      ),
    )
    if (batch.length < rowsAtOnce && size < bytesAtOnce) continue
    yield batch
    batch = []
    size = 0
  }
  if (batch.length > 0) yield batch
}

async function restoreFiles(
  directory: string,
  manifest: Manifest,
  writeFile: RestoreOptions['writeFile'],
  advance: (count: number) => void,
): Promise<void> {
  for await (const line of readLines(paths.fileList(directory), manifest.files)) {
    const [name, size, sha256] = line as [string, number, string]
    if (isAbsolute(name) || normalize(name).startsWith('..'))
      throw new Error(`The backup names a file outside of its folder: ${name}`)
    if (!writeFile) throw new Error('The backup has files, and the restore has no target for them')
    const path = paths.file(directory, name)
    const bytes = await readFile(path)
    if (bytes.length !== size || createHash('sha256').update(bytes).digest('hex') !== sha256) {
      throw damagedError(path)
    }
    await writeFile(name, bytes)
    advance(1)
  }
}
