import type { Context } from '../../../context.ts'
import { hour } from '../../../lib/durations.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import type { ScoreExportsTable } from '../../../platform/db/score-tables.ts'
import {
  type CachedExport,
  deleteExport,
  type Eviction,
  evictExports,
  exportUse,
  findExport,
  findExportByBlob,
  insertExport,
} from './export-cache.store.ts'

/** A file in the cache: the hash of its blob, and the number of pages of the score if the format has pages. */
export interface StoredExport {
  readonly blob: string
  readonly pages?: number
}

/** Returns a cached export, and records that it is used. */
export async function useExport(
  ctx: Context,
  by: { revision: string; variant: string },
): Promise<StoredExport | undefined> {
  const found = await findExport(ctx.db.read, by)
  if (!found) return undefined
  recordUse(ctx, found)
  return { blob: found.blob, ...(found.pages !== null && { pages: found.pages }) }
}

/** Whether the cache still has the export with this blob. Records that it is used. */
export async function hasExport(ctx: Context, blob: string): Promise<boolean> {
  const found = await findExportByBlob(ctx.db.read, blob)
  if (found) recordUse(ctx, found)
  return found !== undefined
}

/** Records a use at most once an hour, so that reads cause few writes. */
function recordUse({ clock, writeBehind }: Context, { blob, used_at }: CachedExport): void {
  const now = clock.now()
  if (now - used_at >= hour) writeBehind.note(exportUse, blob, now)
}

/** Stores an export in the cache, and deletes the files that it evicts. */
export async function cacheExport(
  ctx: Context,
  { revision, variant }: { revision: string; variant: string },
  { bytes, pages }: { readonly bytes: Uint8Array; readonly pages?: number },
): Promise<StoredExport> {
  const prepared = await ctx.blobs.prepare(bytes)
  const now = ctx.clock.now()
  const row: ScoreExportsTable = {
    revision_id: revision,
    variant,
    blob: prepared.hash,
    pages: pages ?? null,
    stored_bytes: prepared.storedSize,
    created_at: now,
    used_at: now,
  }
  const { exportCache } = ctx.config
  const evicting = (tx: Transaction, { blobs, hasMore }: Eviction) =>
    ctx.blobs.deleteUnused(tx, blobs).then(() => hasMore)
  const store = async (tx: Transaction) => {
    await ctx.blobs.insert(tx, prepared)
    return evicting(tx, await insertExport(tx, row, exportCache))
  }
  let hasMore = await ctx.blobs.storing([prepared], () => ctx.transaction(store))
  while (hasMore)
    hasMore = await ctx.transaction(async (tx) => evicting(tx, await evictExports(tx, row, exportCache)))
  return { blob: prepared.hash, ...(pages !== undefined && { pages }) }
}

/** Deletes an export whose blob is missing. */
export async function forgetExport(ctx: Context, by: { revision: string; variant: string }): Promise<void> {
  await ctx.transaction(async (tx) => {
    const blob = await deleteExport(tx, by)
    if (blob) await ctx.blobs.deleteUnused(tx, [blob])
  })
}
