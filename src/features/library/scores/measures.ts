import { uuidsInJson } from '../../../music/formats/json/uuids.ts'
import type { Context } from '../../../context.ts'
import type { RevisionRow } from './revisions.store.ts'

/**
 * Returns the uuids of the measures of a revision. This reads the document, so do not call it inside a
 * transaction.
 */
export async function measureUuidsOf(ctx: Context, revision: RevisionRow): Promise<ReadonlySet<string>> {
  const document = await ctx.blobs.open(ctx.db.read, revision.document_blob)
  const uuids = await uuidsInJson('stream' in document ? document.stream : [document])
  const parts: string[] = JSON.parse(revision.part_uuids)
  for (const part of parts) uuids.delete(part)
  return uuids
}
