import { uuidsInJson } from '../../music/json-uuids.ts'
import type { Context } from '../../operation.ts'
import type { RevisionRow } from './revisions.ts'

/** The uuids of the measures of a revision. It reads the document, so not inside of a transaction. */
export async function measureUuidsOf(ctx: Context, revision: RevisionRow): Promise<ReadonlySet<string>> {
  const document = await ctx.blobs.open(ctx.db.read, revision.document_blob)
  const uuids = await uuidsInJson('stream' in document ? document.stream : [document])
  const parts: string[] = JSON.parse(revision.part_uuids)
  for (const part of parts) uuids.delete(part)
  return uuids
}
