import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Kysely, sql } from 'kysely'
import type { Database, Queries } from '../database.ts'
import { type Manifest, paths, type LineFile, writeLines, writeManifest } from './backup-format.ts'
import { listTables, type TableShape } from './table-shapes.ts'

/** The files outside of the database that its rows name: the large blobs. */
export interface FileSource {
  /** Yields the names of all files that rows of the snapshot name, with `/` between folder and file. */
  names(snapshot: Queries): AsyncIterable<string>
  read(name: string): Promise<Uint8Array>
}

export interface Progress {
  /** The number of rows and files so far. */
  readonly done: number
  /** The expected number. It grows once, when the files have been counted. */
  readonly total: number
}

export interface BackupOptions {
  readonly files?: FileSource | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

const rowsAtOnce = 500

/**
 * Writes one consistent state of the whole database into a new folder. Other callers read and write
 * meanwhile. The backup can be restored into either database. The memory use does not depend on the size of
 * the database.
 *
 * @param directory is created; a folder that is not empty is refused
 * @throws DATABASE_UNAVAILABLE, or an error of the file system. The folder then has no manifest and is not a
 *   backup.
 */
export async function backupDatabase(
  db: Database,
  directory: string,
  { files, onProgress = () => {} }: BackupOptions = {},
): Promise<Manifest> {
  await makeEmpty(directory)
  const progress = { done: 0, total: 0 }
  const step = () => {
    progress.done++
    onProgress(progress)
  }
  const fileNames = join(directory, 'file-names.tmp')

  const ofTheMoment = await db.snapshot(async (snapshot) => {
    const createdAt = new Date().toISOString()
    const migrations = await appliedMigrations(snapshot)
    const shapes = await listTables(snapshot, db.dialect)
    for (const { name } of shapes) progress.total += await countRows(snapshot, name)
    const tables: (TableShape & LineFile)[] = []
    for (const shape of shapes) {
      const written = await writeLines(paths.table(directory, shape.name), rowsOf(snapshot, shape, step))
      tables.push({ ...shape, ...written })
    }
    progress.total += await writeNames(fileNames, files?.names(snapshot))
    return { createdAt, migrations, tables }
  })

  // The names come from the snapshot. The files never change, and none is removed within a day of its last
  // use.
  const copied = await writeLines(paths.fileList(directory), copyFiles(fileNames, directory, files, step))
  await rm(fileNames)
  const manifest: Manifest = { format: 1, ...ofTheMoment, files: copied }
  await writeManifest(directory, manifest)
  return manifest
}

async function makeEmpty(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  if ((await readdir(directory)).length > 0)
    throw new Error(`${directory} is not empty; a backup needs a new folder`)
  await mkdir(join(directory, 'tables'))
}

type AnyTables = Kysely<Record<string, Record<string, unknown>>>

async function appliedMigrations(snapshot: Queries): Promise<string[]> {
  const rows = await (snapshot as unknown as AnyTables)
    .selectFrom('migrations')
    .select('name')
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => String(name))
}

async function countRows(snapshot: Queries, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
    snapshot,
  )
  return rows[0]?.count ?? 0
}

async function* rowsOf(
  snapshot: Queries,
  { name, columns }: TableShape,
  step: () => void,
): AsyncGenerator<unknown[]> {
  for await (const row of (snapshot as unknown as AnyTables)
    .selectFrom(name)
    .selectAll()
    .stream(rowsAtOnce)) {
    yield columns.map((column) => encode(row[column.name]))
    step()
  }
}

function encode(value: unknown): unknown {
  return value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64')
    : value
}

async function writeNames(path: string, names: AsyncIterable<string> | undefined): Promise<number> {
  let count = 0
  async function* lines() {
    for await (const name of names ?? []) {
      count++
      yield `${name}\n`
    }
  }
  await writeFile(path, lines())
  return count
}

async function* copyFiles(
  names: string,
  directory: string,
  files: FileSource | undefined,
  step: () => void,
): AsyncGenerator<[name: string, size: number, sha256: string]> {
  if (!files) return
  for await (const name of createInterface({ input: createReadStream(names) })) {
    const bytes = await files.read(name)
    const path = paths.file(directory, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, bytes, { flag: 'wx', flush: true })
    yield [name, bytes.length, createHash('sha256').update(bytes).digest('hex')]
    step()
  }
}
