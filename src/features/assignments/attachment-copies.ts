import type { Transaction } from '../../db/database.ts'
import { type ErrorCode, fail } from '../../errors.ts'
import type { Actor, Context } from '../../operation.ts'
import { insertCopy } from '../collections/new-score.ts'
import { placingOf } from '../collections/policy.ts'
import { findReadable } from '../scores/policy.ts'
import { type Attachment, type AttachmentRow, listAttachments } from './attached.ts'

/**
 * What is attached to an assignment, for a copy of it that is the actor's. Its scores come along as private scores of the
 * actor's, which belong to no collection: what becomes of the originals does not change the copy.
 * @throws SCORE_NOT_FOUND, SCORE_TRASHED where one of them cannot be copied, naming it
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

/** The same of several assignments, by their ids. What cannot be copied is left out, for the sake of all the others. */
export async function copyAllAttachments(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  attached: ReadonlyMap<string, readonly AttachmentRow[]>,
): Promise<ReadonlyMap<string, readonly Attachment[]>> {
  const copies = await copyScores(ctx, tx, actor, [...attached.values()].flat())
  return new Map(
    [...attached].map(([id, rows]) => [id, rows.map(copies).filter((copy) => typeof copy !== 'string')] as const),
  )
}

/** The same again, but that what the actor has attached stays what it is, and what cannot be copied as well. */
export async function copyForeignAttachments(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  attached: readonly AttachmentRow[],
): Promise<Attachment[]> {
  const isForeign = ({ score_id, attached_by }: AttachmentRow) => score_id !== null && attached_by !== actor.id
  const copies = await copyScores(ctx, tx, actor, attached.filter(isForeign))
  return attached.map((attachment) => {
    const copy = isForeign(attachment) ? copies(attachment) : attachment
    return typeof copy === 'string' ? attachment : copy
  })
}

/** How many scores would be copied with these. */
export const countScores = (attached: readonly Attachment[]): number =>
  new Set(attached.filter(({ score_id }) => score_id !== null).map(keyOf)).size

/** A score is copied once, however often it is attached; of each revision that is named there is a copy. */
const keyOf = ({ score_id, revision_id }: Attachment): string => `${score_id} ${revision_id}`

/** Copies the scores of these. What each of them is in a copy, or why its score cannot be copied. */
async function copyScores(
  ctx: Context,
  tx: Transaction,
  actor: Actor,
  attachments: readonly Attachment[],
): Promise<(attachment: Attachment) => Attachment | Extract<ErrorCode, `SCORE_${string}`>> {
  const owner = placingOf(actor)
  // Side by side, so that the database is not waited for each time.
  const ids = new Set(attachments.flatMap(({ score_id }) => score_id ?? []))
  const originals = new Map(
    await Promise.all([...ids].map(async (id) => [id, await findReadable(tx, actor, id)] as const)),
  )
  const once = new Map(attachments.map((attachment) => [keyOf(attachment), attachment]))
  const copies = new Map(
    await Promise.all(
      [...once].flatMap(([key, { score_id, revision_id: revision }]) => {
        const score = originals.get(score_id ?? '')?.score
        if (!score || score.trashed) return []
        const about = { title: score.title, collection: 'root', revision }
        return [insertCopy(ctx, tx, owner, score, about).then((copy) => [key, copy.score] as const)]
      }),
    ),
  )
  return (attachment) => {
    if (attachment.score_id === null) return attachment
    const score_id = copies.get(keyOf(attachment))
    if (score_id === undefined) return originals.get(attachment.score_id) ? 'SCORE_TRASHED' : 'SCORE_NOT_FOUND'
    return { ...attachment, score_id, revision_id: null, attached_by: actor.id, is_copy: 1 }
  }
}
