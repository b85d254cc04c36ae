import Type from 'typebox'
import { AssignmentSubmissionComment, submissionParams } from '../../../contract/submissions.ts'
import { operation } from '../../../operation.ts'
import { canFollow, loadSubmission } from '../submissions/policy.ts'
import { presentComment } from './present.ts'
import { listComments, markRead } from './store.ts'

export const getSubmissionComments = operation({
  id: 'getSubmissionComments',
  tag: 'Class',
  summary: 'List the comments on a submission',
  description:
    'Available to the teachers of the class and the students of the submission. Sorted by date, ' +
    'oldest first. If there are more than 1,000 comments, the newest 1,000 are returned. The ' +
    'request marks the comments as read. `unread` tells which comments were new.',
  scopes: ['edu.assignments', 'edu.assignments.readonly'],
  params: submissionParams,
  responses: { 200: Type.Array(AssignmentSubmissionComment) },
  errors: [403, 404],
  async handle({ ctx, actor, params }) {
    const { submission } = await loadSubmission(ctx, ctx.db.read, actor, params, canFollow)
    const comments = await listComments(ctx.db.read, { submission: submission.id, viewer: actor.id })
    const last = comments.findLast(({ unread }) => unread)
    if (last) {
      const read = { submission: submission.id, user: actor.id, number: last.number }
      await ctx.transaction((tx) => markRead(tx, read))
    }
    return comments.map(presentComment)
  },
})
