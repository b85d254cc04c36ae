import type { Transaction } from '../../../platform/db/database.ts'
import { type ErrorCode, fail } from '../../../errors.ts'
import type { Actor } from '../../../actor.ts'
import type { Context } from '../../../context.ts'
import { insertCopy } from '../../library/collections/new-score.ts'
import { appCallerOf } from '../../library/collections/policy.ts'
import { findReadableScore } from '../../library/scores/policy.ts'
import { type Attachment, type AttachmentRow, listAttachments } from './attachments.store.ts'

/**
 * Copies the attachments of an assignment. The copies of the scores are private scores of the actor outside
 * all collections, so later changes of the originals do not affect them.
 * @throws SCORE_NOT_FOUND, SCORE_TRASHED for a score that cannot be copied, with its field as `param`
 */
export async function copyAttachments(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  assignment: string,
): Promise<Attachment[]> {
  const attached = (await listAttachments(tx, [assignment])).get(assignment) ?? []
  const copies = await copyScores(ctx, tx, actor, attached)
  return attached.map((attachment, index) => {
    const copy = copies(attachment)
    return typeof copy === 'string' ? fail(copy, { param: `attachments.${index}.score` }) : copy
  })
}

/**
 * Copies the attachments of several assignments, by assignment id. Attachments whose score cannot be copied
 * are left out.
 */
export async function copyAllAttachments(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  attached: ReadonlyMap<string, readonly AttachmentRow[]>,
): Promise<ReadonlyMap<string, readonly Attachment[]>> {
  const copies = await copyScores(ctx, tx, actor, [...attached.values()].flat())
  return new Map(
    [...attached].map(
      ([id, rows]) => [id, rows.map(copies).filter((copy) => typeof copy !== 'string')] as const,
    ),
  )
}

/**
 * Copies the attachments that other users added. Attachments of the actor stay, and so do those whose score
 * cannot be copied.
 */
export async function copyForeignAttachments(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  attached: readonly AttachmentRow[],
): Promise<Attachment[]> {
  const isForeign = ({ score_id, attached_by }: AttachmentRow) =>
    score_id !== null && attached_by !== actor.id
  const copies = await copyScores(ctx, tx, actor, attached.filter(isForeign))
  return attached.map((attachment) => {
    const copy = isForeign(attachment) ? copies(attachment) : attachment
    return typeof copy === 'string' ? attachment : copy
  })
}

/** Returns the number of scores that copying these attachments would create. */
export const countScores = (attached: readonly Attachment[]): number =>
  new Set(attached.filter(({ score_id }) => score_id !== null).map(keyOf)).size

/** The key of a copy. Each revision of a score is copied once, however often it is attached. */
const keyOf = ({ score_id, revision_id }: Attachment): string => `${score_id} ${revision_id}`

/**
 * Copies the scores of these attachments. The returned function maps an attachment to its copy, or to the
 * error code if its score cannot be copied.
 */
async function copyScores(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  attachments: readonly Attachment[],
): Promise<(attachment: Attachment) => Attachment | Extract<ErrorCode, `SCORE_${string}`>> {
  const owner = appCallerOf(actor)
  // Sent together, so that the database handles the queries in one round trip.
  const ids = new Set(attachments.flatMap(({ score_id }) => score_id ?? []))
  const originals = new Map(
    await Promise.all([...ids].map(async (id) => [id, await findReadableScore(tx, actor, id)] as const)),
  )
  const once = new Map(attachments.map((attachment) => [keyOf(attachment), attachment]))
  const copies = new Map(
    await Promise.all(
      [...once].flatMap(([key, { score_id, revision_id: revision }]) => {
        const score = originals.get(score_id ?? '')?.score
        if (!score || score.trashed) return []
        const options = { title: score.title, collection: 'root', revision }
        return [insertCopy(ctx, tx, owner, score, options).then((copy) => [key, copy.score] as const)]
      }),
    ),
  )
  return (attachment) => {
    if (attachment.score_id === null) return attachment
    const score_id = copies.get(keyOf(attachment))
    if (score_id === undefined)
      return originals.get(attachment.score_id) ? 'SCORE_TRASHED' : 'SCORE_NOT_FOUND'
    return { ...attachment, score_id, revision_id: null, attached_by: actor.id, is_copy: 1 }
  }
}
