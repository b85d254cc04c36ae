import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Clock } from '../lib/clock.ts'
import type { BlobFiles } from './blob-files.ts'
import type { BlobReference } from './references.ts'

/** What a sweep has deleted. */
export interface Swept {
  readonly rows: number
  readonly files: number
}

interface Broom {
  readonly db: Database
  readonly files: BlobFiles
  readonly clock: Clock
  readonly references: readonly BlobReference[]
}

/**
 * Long enough for a backup that copies the files after the database, and for whoever has been told where to download.
 */
const graceMilliseconds = 24 * 60 * 60 * 1000
/** Blobs looked at in one query, and files looked up in one. */
const pageSize = 500

/**
 * Marks the blobs that nothing refers to and deletes those that were marked a day ago and still have no reference, rows
 * before files. Then deletes the files, a day old, that no row names: left by a crash, or prepared and never used.
 * @param signal ends the sweep early; the next one goes on
 */
export async function sweepBlobs(broom: Broom, signal?: AbortSignal): Promise<Swept> {
  const { rows, files } = await sweepRows(broom, signal)
  return { rows, files: files + (await sweepOrphans(broom, signal)) }
}

async function sweepRows({ db, files, clock, references }: Broom, signal?: AbortSignal): Promise<Swept> {
  const swept = { rows: 0, files: 0 }
  let last = ''
  while (!signal?.aborted) {
    const page = await db.read
      .selectFrom('blobs')
      .select(['hash', 'unused_since', sql<number>`case when ${used(references)} then 1 else 0 end`.as('used')])
      .where('hash', '>', last)
      .orderBy('hash')
      .limit(pageSize)
      .execute()
    const lastOfPage = page.at(-1)
    if (!lastOfPage) break
    last = lastOfPage.hash

    const now = clock.now()
    const dueAt = now - graceMilliseconds
    const hashesWhere = (test: (blob: (typeof page)[number]) => boolean) => page.filter(test).map(({ hash }) => hash)
    const usedAgain = hashesWhere((blob) => blob.used === 1 && blob.unused_since !== null)
    const unused = hashesWhere((blob) => blob.used === 0 && blob.unused_since === null)
    const due = hashesWhere((blob) => blob.used === 0 && blob.unused_since !== null && blob.unused_since <= dueAt)
    if (usedAgain.length + unused.length + due.length === 0) continue

    // Between the look and this transaction a blob may have been taken into use: nothing is deleted on old knowledge.
    const deleted = await db.transaction(async (tx) => {
      const mark = tx.updateTable('blobs')
      if (usedAgain.length > 0) await mark.set({ unused_since: null }).where('hash', 'in', usedAgain).execute()
      if (unused.length > 0) await mark.set({ unused_since: now }).where('hash', 'in', unused).execute()
      if (due.length === 0) return []
      return tx
        .deleteFrom('blobs')
        .where('hash', 'in', due)
        .where('unused_since', '<=', dueAt)
        .where(sql<boolean>`not ${used(references)}`)
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

async function sweepOrphans({ db, files, clock }: Broom, signal?: AbortSignal): Promise<number> {
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

/** Whether any column that may refer to a blob refers to this one. */
function used(references: readonly BlobReference[]): RawBuilder<boolean> {
  const found = references.map(
    ({ table, column }) =>
      sql`exists (select 1 from ${sql.table(table)} where ${sql.ref(`${table}.${column}`)} = blobs.hash)`,
  )
  return sql<boolean>`(${found.length > 0 ? sql.join(found, sql` or `) : sql`1 = 0`})`
}
