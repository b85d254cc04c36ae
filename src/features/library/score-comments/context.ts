import type { ScoreCommentContext } from '../../../contract/score-comments.ts'
import { fail } from '../../../errors.ts'
import type { Context } from '../../../context.ts'
import { measureUuidsOf } from '../scores/measures.ts'
import { findRevision, type RevisionRow } from '../scores/revisions.store.ts'
import type { ScoreRow } from '../scores/store.ts'

/**
 * Returns the id of the revision that a comment refers to, after checking that the revision contains the
 * comment's position. This reads the document, so do not call it inside a transaction. Revisions do not
 * change.
 * @throws REVISION_NOT_FOUND (`revision`); INVALID_PARAMETER (`context.…`)
 */
export async function checkedRevisionId(
  ctx: Context,
  score: ScoreRow,
  revision = 'last',
  context?: ScoreCommentContext,
): Promise<string> {
  const id = revision === 'last' ? score.last_revision_id : revision
  const row = await findRevision(ctx.db.read, { score: score.id, id })
  if (!row) fail('REVISION_NOT_FOUND', { param: 'revision' })
  if (context) await checkContext(ctx, row, context)
  return row.id
}

async function checkContext(
  ctx: Context,
  revision: RevisionRow,
  { partUuid, measureUuids }: ScoreCommentContext,
): Promise<void> {
  const parts: string[] = JSON.parse(revision.part_uuids)
  if (!parts.includes(partUuid)) failInvalid('context.partUuid', `The revision has no part ${partUuid}.`)
  if (measureUuids.length === 0) return
  const measures = await measureUuidsOf(ctx, revision)
  const unknown = measureUuids.findIndex((uuid) => !measures.has(uuid))
  if (unknown < 0) return
  failInvalid(`context.measureUuids.${unknown}`, `The revision has no measure ${measureUuids[unknown]}.`)
}

function failInvalid(param: string, message: string): never {
  fail('INVALID_PARAMETER', { param, message })
}

/** Serializes a position. Unknown fields from the client are dropped. */
export function serializeContext(context: ScoreCommentContext): string {
  const { partUuid, staffIdx, staffUuid, measureUuids, startTimePos, stopTimePos, startDpq, stopDpq } =
    context
  return JSON.stringify({
    partUuid,
    staffIdx,
    staffUuid,
    measureUuids,
    startTimePos,
    stopTimePos,
    startDpq,
    stopDpq,
  })
}
