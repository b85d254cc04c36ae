import { hash } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { type ByteCache, byteCache } from '../../../lib/byte-cache.ts'
import type { Waiter, Waiters } from '../../../lib/shared-runs.ts'

/** The bytes of an export that no engine renders, and their hash. */
export interface MadeFile {
  readonly body: Uint8Array
  readonly hash: string
}

/** Exports of our own writers, by revision and variant. A revision never changes, so they never become outdated. */
export type ExportFiles = ByteCache<MadeFile>

/** The maximum size of all files, in bytes. */
const maxBytes = 32 * 1024 * 1024
/** The maximum size of one file, in bytes. */
const maxFileBytes = 1024 * 1024
/** The memory that an entry takes in addition to the file, for key, hash and objects, in bytes. */
const entryBytes = 500

export const exportFiles = (): ExportFiles => byteCache(maxBytes)

/** Keeps a file, unless it is large. */
export function keepFile({ exportFiles }: Context, key: string, file: MadeFile): void {
  if (file.body.length <= maxFileBytes) exportFiles.set(key, file, entryBytes + file.body.length)
}

/**
 * Returns the file with this key from memory, or else makes it. Simultaneous requests share one run.
 * @param key the revision and the variant
 */
export async function makeOnce(
  ctx: Context,
  key: string,
  waiter: Waiter,
  make: (waiters: Waiters) => Promise<Uint8Array>,
): Promise<MadeFile> {
  const kept = ctx.exportFiles.get(key)
  if (kept) return kept
  return ctx.sharedRuns(`file ${key}`, waiter, async (waiters) => {
    const body = await make(waiters)
    const file = { body, hash: hash('sha1', body, 'base64url') }
    keepFile(ctx, key, file)
    return file
  })
}
