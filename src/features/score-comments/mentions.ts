import type { Context } from '../../operation.ts'
import { listMentions, updateComment } from './store.ts'

/** In the place of the name of somebody who is gone. */
const nobody = '…'

const portionSize = 500

/**
 * Takes the name of an account that goes out of the comments in which others have mentioned it; the rest of what they wrote
 * is theirs. All comments with mentions are looked at, some at a time.
 */
export async function deleteMentionsOf(ctx: Pick<Context, 'db' | 'transaction'>, user: string): Promise<void> {
  let after = ''
  for (;;) {
    const comments = await listMentions(ctx.db.read, { after, limit: portionSize })
    const naming = comments.filter(({ raw_comment, mentions }) => (raw_comment + mentions).includes(user))
    if (naming.length > 0) {
      await ctx.transaction(async (tx) => {
        for (const comment of naming) await updateComment(tx, comment.id, withoutName(comment, user))
      })
    }
    if (comments.length < portionSize) return
    after = comments.at(-1)?.id ?? ''
  }
}

/** A mention is written `@[id:username]`, and `@username` where people read it. */
function withoutName(texts: { comment: string; raw_comment: string; mentions: string }, user: string) {
  const mention = new RegExp(`@\\[${user}:([^\\]]{1,100})\\]`, 'g')
  const { comment, raw_comment } = texts
  const names = new Set(Array.from(`${comment}\n${raw_comment}`.matchAll(mention), ([, name = '']) => name))
  const cleared = (text: string) => {
    let left = text.replaceAll(mention, `@${nobody}`)
    for (const name of names) left = left.replaceAll(`@${name}`, `@${nobody}`)
    return left
  }
  const others = (JSON.parse(texts.mentions) as string[]).filter((id) => id !== user)
  return { comment: cleared(comment), raw_comment: cleared(raw_comment), mentions: JSON.stringify(others) }
}
