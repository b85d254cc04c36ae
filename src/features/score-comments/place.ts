import type { ScoreCommentContext } from '../../contract/score-comments.ts'
import { fail } from '../../errors.ts'
import type { Context } from '../../operation.ts'
import { measureUuidsOf } from '../scores/measures.ts'
import { findRevision, type RevisionRow } from '../scores/revisions.ts'
import type { ScoreRow } from '../scores/store.ts'

/**
 * The revision that a comment names, once it is known to have the place that the comment is about. It reads the document,
 * so not inside of a transaction: a revision does not change.
 * @throws REVISION_NOT_FOUND (`revision`); INVALID_PARAMETER (`context.…`)
 */
export async function checkedRevision(
  ctx: Context,
  score: ScoreRow,
  revision = 'last',
  context?: ScoreCommentContext,
): Promise<string> {
  const id = revision === 'last' ? score.last_revision_id : revision
  const found = await findRevision(ctx.db.read, { score: score.id, id })
  if (!found) fail('REVISION_NOT_FOUND', { param: 'revision' })
  if (context) await checkContext(ctx, found, context)
  return found.id
}

async function checkContext(
  ctx: Context,
  revision: RevisionRow,
  { partUuid, measureUuids }: ScoreCommentContext,
): Promise<void> {
  const parts: string[] = JSON.parse(revision.part_uuids)
  if (!parts.includes(partUuid)) refuse('context.partUuid', `The revision has no part ${partUuid}.`)
  if (measureUuids.length === 0) return
  const measures = await measureUuidsOf(ctx, revision)
  const unknown = measureUuids.findIndex((uuid) => !measures.has(uuid))
  if (unknown < 0) return
  refuse(`context.measureUuids.${unknown}`, `The revision has no measure ${measureUuids[unknown]}.`)
}

function refuse(param: string, message: string): never {
  fail('INVALID_PARAMETER', { param, message })
}

/** A place as it is stored, without what a client may have sent along. */
export function storedContext(context: ScoreCommentContext): string {
  const { partUuid, staffIdx, staffUuid, measureUuids, startTimePos, stopTimePos, startDpq, stopDpq } = context
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
