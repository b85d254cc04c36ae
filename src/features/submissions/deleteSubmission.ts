import { AssignmentSubmission, submissionParams } from '../../contract/submissions.ts'
import { operation } from '../../operation.ts'
import { composeSubmission } from './compose.ts'
import { canTeach, loadOpenSubmission } from './policy.ts'
import { resetSubmission } from './teacher-work.ts'

export const deleteSubmission = operation({
  id: 'deleteSubmission',
  tag: 'Class',
  summary: 'Let a student begin again',
  description:
    'For teachers. The scores that were made for the submission are deleted, and made again when the student goes on. ' +
    'Attachments, grades and dates are gone; comments and history stay.',
  scopes: ['edu.classes', 'edu.assignments'],
  params: submissionParams,
  responses: { 200: AssignmentSubmission },
  async handle({ ctx, actor, params }) {
    const { standing, submission } = await ctx.transaction(async (tx) => {
      const loaded = await loadOpenSubmission(ctx, tx, actor, params, canTeach)
      return { ...loaded, submission: await resetSubmission(ctx, tx, actor, loaded) }
    })
    return composeSubmission(ctx, actor.id, standing, submission)
  },
})
