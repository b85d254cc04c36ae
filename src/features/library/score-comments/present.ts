import type { ScoreComment } from '../../../contract/score-comments.ts'
import type { ScoreCommentsTable } from '../../../platform/db/score-tables.ts'
import { dateTime } from '../../../lib/date-time.ts'

/** @param comment a row in which a reply has the position and the state of its thread */
export function presentComment(comment: ScoreCommentsTable): ScoreComment {
  const { context, hidden, modified_at } = comment
  return {
    id: comment.id,
    type: context === null ? 'document' : 'inline',
    user: comment.user_id,
    score: comment.score_id,
    revision: comment.revision_id,
    replyTo: comment.reply_to ?? undefined,
    date: dateTime(comment.created_at),
    modificationDate: modified_at === null ? undefined : dateTime(modified_at),
    comment: comment.comment,
    rawComment: comment.raw_comment,
    context: context === null ? undefined : JSON.parse(context),
    mentions: comment.mentions === '[]' ? [] : JSON.parse(comment.mentions),
    resolved: comment.resolved_by !== null,
    resolvedBy: comment.resolved_by ?? undefined,
    moderation: hidden === null ? undefined : { hidden: true, reason: hidden },
    spam: hidden === 'spam' ? true : undefined,
  }
}
