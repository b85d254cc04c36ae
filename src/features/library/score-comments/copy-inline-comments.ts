import type { Transaction } from '../../../platform/db/database.ts'
import type { Context } from '../../../context.ts'
import type { LoadedScore } from '../scores/policy.ts'
import { insertComment, listNewestComments } from './store.ts'

/** The maximum number of copied comments: they are inserted in one transaction, which must be short. */
const maxComments = 1000

/**
 * Copies the newest inline comments and the replies to them from a score to its
 * copy, with their authors and dates. Omits hidden comments and the replies to them. Copies nothing if the caller can read
 * the original only through a resource library, because the caller cannot see its comments.
 */
export async function copyInlineComments(
  { newId }: Pick<Context, 'newId'>,
  tx: Transaction,
  { score: original, isFromLibrary }: LoadedScore,
  copy: { score: string; revision: { id: string } },
): Promise<void> {
  if (isFromLibrary) return
  const inline = (await listNewestComments(tx, original.id))
    .filter(
      ({ context, hidden, thread_hidden }) => context !== null && hidden === null && thread_hidden === null,
    )
    .slice(0, maxComments)
    .reverse()
  const newIds = new Map(inline.map(({ id }) => [id, newId()]))
  for (const { thread_user_id: _, thread_hidden: __, ...comment } of inline) {
    const reply_to = comment.reply_to === null ? null : newIds.get(comment.reply_to)
    // The comment that this one replies to is not among the copied ones.
    if (reply_to === undefined) continue
    const id = newIds.get(comment.id) ?? newId()
    const copied = { ...comment, id, score_id: copy.score, revision_id: copy.revision.id, reply_to }
    await insertComment(tx, copied, true)
  }
}
