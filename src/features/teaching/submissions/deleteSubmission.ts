import { AssignmentSubmission, submissionParams } from '../../../contract/submissions.ts'
import { operation } from '../../../operation.ts'
import { composeSubmission } from './compose.ts'
import { canTeach, loadOpenSubmission } from './policy.ts'
import { resetSubmission } from './teacher-requests.ts'

export const deleteSubmission = operation({
  id: 'deleteSubmission',
  tag: 'Class',
  summary: 'Reset a submission',
  description:
    'For teachers. Deletes the scores that were created for the submission. The server creates new ' +
    'ones when the student continues. Attachments, grades and dates are removed. Comments and ' +
    'history stay.',
  scopes: ['edu.classes', 'edu.assignments'],
  params: submissionParams,
  responses: { 200: AssignmentSubmission },
  async handle({ ctx, actor, params }) {
    const { relation, submission } = await ctx.transaction(async (tx) => {
      const loaded = await loadOpenSubmission(ctx, tx, actor, params, canTeach)
      return { ...loaded, submission: await resetSubmission(ctx, tx, actor, loaded) }
    })
    return composeSubmission(ctx, actor.id, relation, submission)
  },
})
