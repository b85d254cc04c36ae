import type { Context } from '../../../context.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { listMentions, listMentionsIn, type MentionRow, updateComment } from './store.ts'

/** Replaces the name of a deleted user. */
const deletedUserName = '…'

const batchSize = 500

/**
 * Removes the name of a deleted user from the comments of other users that mention the user. The rest of each
 * comment is kept. There is no index on mentions, so this scans all comments with mentions in batches.
 * @param transaction see BatchedStep. It reads a comment again before it writes it, because its author may have
 *   edited it since the scan.
 */
export async function deleteMentionsOf(
  ctx: Pick<Context, 'db'>,
  user: string,
  transaction: (work: (tx: Transaction) => Promise<void>) => Promise<void>,
): Promise<void> {
  const mentionsUser = ({ raw_comment, mentions }: MentionRow) => (raw_comment + mentions).includes(user)
  let after = ''
  for (;;) {
    const comments = await listMentions(ctx.db.read, { after, limit: batchSize })
    const ids = comments.filter(mentionsUser).map(({ id }) => id)
    if (ids.length > 0) {
      await transaction(async (tx) => {
        for (const comment of (await listMentionsIn(tx, ids)).filter(mentionsUser)) {
          await updateComment(tx, comment.id, withoutName(comment, user))
        }
      })
    }
    if (comments.length < batchSize) return
    after = comments.at(-1)?.id ?? ''
  }
}

/** A mention is `@[id:username]` in the raw text and `@username` in the display text. */
function withoutName(texts: MentionRow, user: string) {
  const mention = new RegExp(`@\\[${user}:([^\\]]{1,100})\\]`, 'g')
  const { comment, raw_comment } = texts
  const names = new Set(Array.from(`${comment}\n${raw_comment}`.matchAll(mention), ([, name = '']) => name))
  const replaceNames = (text: string) => {
    let result = text.replaceAll(mention, `@${deletedUserName}`)
    for (const name of names) result = result.replaceAll(patternOf(name), `@${deletedUserName}`)
    return result
  }
  const others = (JSON.parse(texts.mentions) as string[]).filter((id) => id !== user)
  return {
    comment: replaceNames(comment),
    raw_comment: replaceNames(raw_comment),
    mentions: JSON.stringify(others),
  }
}

/** Matches a name in the display text, but not as the beginning of a longer name: `@ann`, not `@anna` or `@ann.b`. */
const patternOf = (name: string): RegExp =>
  new RegExp(`@${RegExp.escape(name)}(?![\\p{L}\\p{N}_-]|[.][\\p{L}\\p{N}])`, 'gu')
