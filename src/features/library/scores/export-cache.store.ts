import { sql } from 'kysely'
import { compiled, type Params } from '../../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../../platform/db/database.ts'
import { insertion } from '../../../platform/db/insertion.ts'
import type { ScoreExportsTable } from '../../../platform/db/score-tables.ts'
import type { DeferredWrite } from '../../../platform/db/write-behind.ts'

/** A cached export: its blob, the number of its pages, and when it was last used, to the hour. */
export type CachedExport = Pick<ScoreExportsTable, 'blob' | 'pages' | 'used_at'>

const exportOf = compiled((db, p: Params<{ revision: string; variant: string }>) =>
  db
    .selectFrom('score_exports')
    .select(['blob', 'pages', 'used_at'])
    .where('revision_id', '=', p('revision'))
    .where('variant', '=', p('variant')),
)

export async function findExport(
  queries: Queries,
  by: { revision: string; variant: string },
): Promise<CachedExport | undefined> {
  const [row] = await exportOf(queries, by)
  return row
}

export async function findExportByBlob(queries: Queries, blob: string): Promise<CachedExport | undefined> {
  return queries
    .selectFrom('score_exports')
    .select(['blob', 'pages', 'used_at'])
    .where('blob', '=', blob)
    .limit(1)
    .executeTakeFirst()
}

const updateUse = compiled((db, p: Params<{ blob: string; time: number }>) =>
  db
    .updateTable('score_exports')
    .set({ used_at: p('time') })
    .where('blob', '=', p('blob'))
    .where('used_at', '<', p('time')),
)

/** Stores the time of the last use: hash of the blob → milliseconds. */
export const exportUse: DeferredWrite = {
  name: 'export use',
  merge: Math.max,
  async flush(tx, notes) {
    for (const [blob, time] of notes) await updateUse(tx, { blob, time })
  },
}

const insertRow = insertion('score_exports', { orIgnore: true })

/** Adds `more` bytes to the size of the cache. */
const addToSize = compiled((db, p: Params<{ more: number }>) =>
  db
    .insertInto('export_cache')
    .values({ id: sql.lit('size'), bytes: p('more') })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet((eb) => ({ bytes: eb('export_cache.bytes', '+', eb.ref('excluded.bytes')) })),
    ),
)

/** What a transaction has evicted from the cache. */
export interface Eviction {
  /** The hashes of the evicted blobs. */
  readonly blobs: readonly string[]
  /** Whether the cache still exceeds its size. */
  readonly hasMore: boolean
}

const nothingEvicted: Eviction = { blobs: [], hasMore: false }

/** Inserts an export, unless it exists, and evicts others as `evictExports` does. */
export async function insertExport(
  tx: Transaction,
  row: ScoreExportsTable,
  maxBytes: number,
): Promise<Eviction> {
  if ((await insertRow(tx, row)) === 0) return nothingEvicted
  await addToSize(tx, { more: row.stored_bytes })
  return evictExports(tx, row, maxBytes)
}

const batchSize = 100

/**
 * Evicts the exports that were not used for the longest time, until the cache has at most `maxBytes` or contains only the kept
 * export, but at most a hundred of them: a long transaction would delay the writes of others.
 */
export async function evictExports(
  tx: Transaction,
  kept: Pick<ScoreExportsTable, 'revision_id' | 'variant'>,
  maxBytes: number,
): Promise<Eviction> {
  const size = await tx.selectFrom('export_cache').select('bytes').executeTakeFirst()
  const excess = (size?.bytes ?? 0) - maxBytes
  if (excess <= 0) return nothingEvicted
  const oldest = await tx
    .selectFrom('score_exports')
    .select(['revision_id', 'variant', 'blob', 'stored_bytes'])
    .where((eb) => eb.or([eb('revision_id', '!=', kept.revision_id), eb('variant', '!=', kept.variant)]))
    .orderBy('used_at')
    .limit(batchSize)
    .execute()
  const blobs: string[] = []
  let freed = 0
  for (const row of oldest) {
    if (freed >= excess) break
    await deleteRow(tx, row)
    freed += row.stored_bytes
    blobs.push(row.blob)
  }
  await addToSize(tx, { more: -freed })
  return { blobs, hasMore: freed < excess && oldest.length === batchSize }
}

const deleteRow = compiled((db, p: Params<{ revision_id: string; variant: string }>) =>
  db
    .deleteFrom('score_exports')
    .where('revision_id', '=', p('revision_id'))
    .where('variant', '=', p('variant'))
    .returning(['blob', 'stored_bytes']),
)

/** Deletes one export. Returns the hash of its blob. */
export async function deleteExport(
  tx: Transaction,
  { revision, variant }: { revision: string; variant: string },
): Promise<string | undefined> {
  const [deleted] = await deleteRow(tx, { revision_id: revision, variant })
  if (deleted) await addToSize(tx, { more: -deleted.stored_bytes })
  return deleted?.blob
}

/** Deletes all exports of a score. Returns the hashes of their blobs. */
export async function deleteExportsOf(tx: Transaction, score: string): Promise<string[]> {
  const deleted = await tx
    .deleteFrom('score_exports')
    .where('revision_id', 'in', (eb) =>
      eb.selectFrom('score_revisions').select('id').where('score_id', '=', score),
    )
    .returning(['blob', 'stored_bytes'])
    .execute()
  const bytes = deleted.reduce((sum, { stored_bytes }) => sum + stored_bytes, 0)
  if (bytes > 0) await addToSize(tx, { more: -bytes })
  return deleted.map(({ blob }) => blob)
}
