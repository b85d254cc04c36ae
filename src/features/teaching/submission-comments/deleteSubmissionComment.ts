import { submissionCommentParams } from '../../../contract/submissions.ts'
import { Empty, operation } from '../../../operation.ts'
import { canDelete, loadComment } from './policy.ts'
import { deleteComment } from './store.ts'

export const deleteSubmissionComment = operation({
  id: 'deleteSubmissionComment',
  tag: 'Class',
  summary: 'Delete a comment on a submission',
  description: 'Available to the author and the teachers of the class.',
  scopes: ['edu.assignments'],
  params: submissionCommentParams,
  responses: { 204: Empty },
  async handle({ ctx, actor, params }) {
    await ctx.transaction(async (tx) => {
      const { comment } = await loadComment(ctx, tx, actor, params, canDelete)
      await deleteComment(tx, comment.id)
    })
  },
})
