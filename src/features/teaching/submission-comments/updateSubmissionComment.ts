import {
  AssignmentSubmissionComment,
  AssignmentSubmissionCommentCreation,
  submissionCommentParams,
} from '../../../contract/submissions.ts'
import { operation } from '../../../operation.ts'
import { canEdit, loadComment } from './policy.ts'
import { presentComment } from './present.ts'
import { updateComment } from './store.ts'

export const updateSubmissionComment = operation({
  id: 'updateSubmissionComment',
  tag: 'Class',
  summary: 'Update a comment on a submission',
  description: 'Available to its author.',
  scopes: ['edu.assignments'],
  params: submissionCommentParams,
  body: AssignmentSubmissionCommentCreation,
  responses: { 200: AssignmentSubmissionComment },
  errors: [403, 404],
  async handle({ ctx, actor, params, body }) {
    const changed = await ctx.transaction(async (tx) => {
      const { comment } = await loadComment(ctx, tx, actor, params, canEdit)
      const change = { comment: body.comment, modified_at: ctx.clock.now() }
      await updateComment(tx, comment.id, change)
      return { ...comment, ...change }
    })
    return presentComment(changed)
  },
})
