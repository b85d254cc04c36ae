import { type RawBuilder, sql } from 'kysely'
import type { Database, Transaction } from '../db/database.ts'
import type { Clock } from '../../lib/clock.ts'
import type { BlobFiles } from './blob-files.ts'
import type { BlobReference } from './references.ts'
import { day } from '../../lib/durations.ts'

/** The numbers of rows and files that a sweep has deleted. */
export interface Swept {
  readonly rows: number
  readonly files: number
}

interface SweepOptions {
  readonly db: Database
  readonly files: BlobFiles
  readonly clock: Clock
  readonly references: readonly BlobReference[]
}

/**
 * Long enough for a backup, which copies the files after the database, and for clients that have a download link.
 */
const graceMilliseconds = day
/** Number of blobs or files that are checked with one query. */
const pageSize = 500

/**
 * Marks blobs without a reference, and deletes blobs that were marked at least a day ago and still have no reference, the
 * row before the file. Then deletes files without a row that are at least a day old: a crash has left them, or they were
 * prepared and not inserted.
 * @param signal ends the sweep early. The next sweep does the rest.
 */
export async function sweepBlobs(options: SweepOptions, signal?: AbortSignal): Promise<Swept> {
  const { rows, files } = await sweepRows(options, signal)
  return { rows, files: files + (await sweepOrphans(options, signal)) }
}

async function sweepRows(
  { db, files, clock, references }: SweepOptions,
  signal?: AbortSignal,
): Promise<Swept> {
  const swept = { rows: 0, files: 0 }
  let last = ''
  while (!signal?.aborted) {
    const page = await db.read
      .selectFrom('blobs')
      .select([
        'hash',
        'unused_since',
        sql<number>`case when ${isReferenced(references)} then 1 else 0 end`.as('used'),
      ])
      .where('hash', '>', last)
      .orderBy('hash')
      .limit(pageSize)
      .execute()
    const lastOfPage = page.at(-1)
    if (!lastOfPage) break
    last = lastOfPage.hash

    const now = clock.now()
    const dueAt = now - graceMilliseconds
    const hashesWhere = (test: (blob: (typeof page)[number]) => boolean) =>
      page.filter(test).map(({ hash }) => hash)
    const usedAgain = hashesWhere((blob) => blob.used === 1 && blob.unused_since !== null)
    const unused = hashesWhere((blob) => blob.used === 0 && blob.unused_since === null)
    const due = hashesWhere(
      (blob) => blob.used === 0 && blob.unused_since !== null && blob.unused_since <= dueAt,
    )
    if (usedAgain.length + unused.length + due.length === 0) continue

    // A blob may have been used again since the query above, so the deletion checks the conditions once more.
    const deleted = await db.transaction(async (tx) => {
      const mark = tx.updateTable('blobs')
      if (usedAgain.length > 0)
        await mark.set({ unused_since: null }).where('hash', 'in', usedAgain).execute()
      if (unused.length > 0) await mark.set({ unused_since: now }).where('hash', 'in', unused).execute()
      if (due.length === 0) return []
      return tx
        .deleteFrom('blobs')
        .where('hash', 'in', due)
        .where('unused_since', '<=', dueAt)
        .where(sql<boolean>`not ${isReferenced(references)}`)
        .returning('file')
        .execute()
    })
    swept.rows += deleted.length
    for (const { file } of deleted) {
      if (file === null) continue
      await files.remove(file)
      swept.files += 1
    }
  }
  return swept
}

async function sweepOrphans({ db, files, clock }: SweepOptions, signal?: AbortSignal): Promise<number> {
  const dueAt = clock.now() - graceMilliseconds
  let swept = 0
  let names: string[] = []
  const removeOrphans = async () => {
    const hashes = names.map((name) => name.replace('/', '').slice(0, 64))
    const rows = await db.read.selectFrom('blobs').select('file').where('hash', 'in', hashes).execute()
    const named = new Set(rows.map(({ file }) => file))
    for (const name of names) {
      if (named.has(name)) continue
      await files.remove(name)
      swept += 1
    }
    names = []
  }
  for await (const { name, modifiedAt } of files.list()) {
    if (signal?.aborted) return swept
    if (modifiedAt <= dueAt) names.push(name)
    if (names.length === pageSize) await removeOrphans()
  }
  if (names.length > 0) await removeOrphans()
  return swept
}

/** Returns an SQL condition that is true if any of the columns refers to the blob. */
export function isReferenced(references: readonly BlobReference[]): RawBuilder<boolean> {
  const conditions = references.map(
    ({ table, column }) =>
      sql`exists (select 1 from ${sql.table(table)} where ${sql.ref(`${table}.${column}`)} = blobs.hash)`,
  )
  return sql<boolean>`(${conditions.length > 0 ? sql.join(conditions, sql` or `) : sql`1 = 0`})`
}

/** Deletes the rows of those blobs to which no row refers. Returns the names of their files. */
export async function deleteUnusedRows(
  tx: Transaction,
  hashes: readonly string[],
  references: readonly BlobReference[],
): Promise<string[]> {
  const files: string[] = []
  for (const hash of hashes) {
    const [deleted] = await tx
      .deleteFrom('blobs')
      .where('hash', '=', hash)
      .where(sql<boolean>`not ${isReferenced(references)}`)
      .returning('file')
      .execute()
    if (deleted?.file) files.push(deleted.file)
  }
  return files
}
