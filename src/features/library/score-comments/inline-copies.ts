import type { Transaction } from '../../../platform/db/database.ts'
import type { Context } from '../../../context.ts'
import type { Actor } from '../../../actor.ts'
import type { LoadedScore } from '../scores/policy.ts'
import { canSeeComment } from './policy.ts'
import { insertComment, listNewestComments } from './store.ts'

/** A copy is made in one transaction, which must be short. */
const maxCopies = 1000

/**
 * Copies the inline comments on a score, with their replies, to a copy of the score. Authors and dates stay.
 * Comments that the actor cannot list, or that are hidden, are left out.
 */
export async function copyInlineComments(
  { newId }: Pick<Context, 'newId'>,
  tx: Transaction,
  actor: Actor,
  { score: original, rights, isFromLibrary }: LoadedScore,
  { score, revision }: { score: string; revision: { id: string } },
): Promise<void> {
  if (isFromLibrary) return
  const inline = (await listNewestComments(tx, original.id))
    .filter((comment) => comment.context !== null && comment.hidden === null)
    .filter((comment) => canSeeComment(actor, rights, comment) && comment.thread_hidden === null)
    .slice(0, maxCopies)
    .reverse()
  const ids = new Map(inline.map(({ id }) => [id, newId()]))
  for (const { thread_user_id: _, thread_hidden: __, ...comment } of inline) {
    const reply_to = comment.reply_to === null ? null : ids.get(comment.reply_to)
    // The first comment of the thread was left out.
    if (reply_to === undefined) continue
    const id = ids.get(comment.id) ?? newId()
    const copy = { ...comment, id, score_id: score, revision_id: revision.id, reply_to }
    await insertComment(tx, copy, true)
  }
}
