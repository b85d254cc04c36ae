import { type ByteCache, byteCache } from '../../../lib/byte-cache.ts'
import type { RevisionRow } from './revisions.store.ts'

/** Revisions by id, which were read before. A revision never changes, so they never become outdated. */
export type KeptRevisions = ByteCache<RevisionRow>

/** The memory for all of them, in bytes. */
const maxBytes = 8 * 1024 * 1024
/** The approximate size of a row beside its texts of any length, in bytes. */
const rowBytes = 1000

export const keptRevisions = (): KeptRevisions => byteCache(maxBytes)

export function keepRevision(kept: KeptRevisions, revision: RevisionRow): void {
  const { id, part_uuids, description, import_warnings } = revision
  const texts = [part_uuids, description ?? '', import_warnings ?? '']
  kept.set(id, revision, rowBytes + texts.reduce((sum, { length }) => sum + 2 * length, 0))
}
