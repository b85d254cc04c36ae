import {
  AssignmentSubmissionComment,
  AssignmentSubmissionCommentCreation,
  submissionParams,
} from '../../../contract/submissions.ts'
import { operation } from '../../../operation.ts'
import { recordEvent } from '../../people/events/events.ts'
import { notifyCommented } from '../submissions/notifications.ts'
import { canFollow, loadOpenSubmission } from '../submissions/policy.ts'
import { presentComment } from './present.ts'
import { insertComment, nextNumber } from './store.ts'

export const postSubmissionComment = operation({
  id: 'postSubmissionComment',
  tag: 'Class',
  summary: 'Comment on a submission',
  description: 'Available to the teachers of the class and the students of the submission.',
  scopes: ['edu.assignments'],
  params: submissionParams,
  body: AssignmentSubmissionCommentCreation,
  responses: { 200: AssignmentSubmissionComment },
  errors: [403, 404],
  async handle({ ctx, actor, params, body }) {
    const written = await ctx.transaction(async (tx) => {
      const { submission, schoolClass } = await loadOpenSubmission(ctx, tx, actor, params, canFollow)
      const comment = {
        id: ctx.newId(),
        submission_id: submission.id,
        number: await nextNumber(tx, submission.id),
        user_id: actor.id,
        comment: body.comment,
        created_at: ctx.clock.now(),
        modified_at: null,
      }
      await insertComment(tx, comment)
      await notifyCommented(ctx, tx, schoolClass, submission, actor.id)
      const { id, class_id, assignment_id } = submission
      await recordEvent(ctx, tx, {
        organization: schoolClass.organization_id,
        type: 'submission.commented',
        actor: actor.id,
        objects: { class: class_id, assignment: assignment_id, submission: id, comment: comment.id },
      })
      return comment
    })
    return presentComment({ ...written, unread: 0 })
  },
})
