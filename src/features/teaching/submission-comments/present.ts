import type { AssignmentSubmissionComment } from '../../../contract/submissions.ts'
import { dateTime } from '../../../lib/date-time.ts'
import type { CommentRow } from './store.ts'

export function presentComment(comment: CommentRow): AssignmentSubmissionComment {
  const { id, user_id, submission_id, created_at, modified_at, unread } = comment
  return {
    id,
    user: user_id,
    submission: submission_id,
    date: dateTime(created_at),
    modificationDate: modified_at === null ? undefined : dateTime(modified_at),
    comment: comment.comment,
    unread: unread === 1,
  }
}
