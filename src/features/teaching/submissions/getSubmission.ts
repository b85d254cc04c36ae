import { AssignmentSubmission, submissionParams } from '../../../contract/submissions.ts'
import { operation } from '../../../operation.ts'
import { composeSubmission } from './compose.ts'
import { canFollow, loadSubmission } from './policy.ts'

export const getSubmission = operation({
  id: 'getSubmission',
  tag: 'Class',
  summary: 'Get a submission',
  description: 'Available to the teachers of the class and the students of the submission.',
  scopes: ['edu.classes', 'edu.classes.readonly', 'edu.assignments', 'edu.assignments.readonly'],
  params: submissionParams,
  responses: { 200: AssignmentSubmission },
  async handle({ ctx, actor, params }) {
    const { submission, relation } = await loadSubmission(ctx, ctx.db.read, actor, params, canFollow)
    return composeSubmission(ctx, actor.id, relation, submission)
  },
})
