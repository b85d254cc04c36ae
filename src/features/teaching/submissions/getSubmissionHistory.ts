import Type from 'typebox'
import { AssignmentSubmissionHistory, submissionParams } from '../../../contract/submissions.ts'
import { operation } from '../../../operation.ts'
import { canTeach, loadSubmission } from './policy.ts'
import { presentHistory } from './present.ts'
import { listHistory } from './history.store.ts'

export const getSubmissionHistory = operation({
  id: 'getSubmissionHistory',
  tag: 'Class',
  summary: 'Get the history of a submission',
  description:
    'For teachers. Returns every change of the state and of the grades, oldest first. If there are ' +
    'more than 10,000 entries, the newest 10,000 are returned.',
  scopes: ['edu.assignments', 'edu.assignments.readonly'],
  params: submissionParams,
  responses: { 200: Type.Array(AssignmentSubmissionHistory) },
  errors: [403, 404],
  async handle({ ctx, actor, params }) {
    const { submission } = await loadSubmission(ctx, ctx.db.read, actor, params, canTeach)
    const history = await listHistory(ctx.db.read, submission.id)
    return history.map((row) => presentHistory(submission, row))
  },
})
