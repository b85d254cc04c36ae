import { AssignmentSubmission, AssignmentSubmissionUpdate, submissionParams } from '../../contract/submissions.ts'
import { fail } from '../../errors.ts'
import { operation } from '../../operation.ts'
import { composeSubmission } from './compose.ts'
import { foreignField } from './lifecycle.ts'
import { canTeach, loadOpenSubmission } from './policy.ts'
import { gradeSubmission } from './teacher-work.ts'

export const editSubmission = operation({
  id: 'editSubmission',
  tag: 'Class',
  summary: 'Grade a submission, and give it back',
  description:
    'For teachers. A `draftGrade` is hidden from the students; it becomes the grade when the work is given back and no ' +
    '`grade` is given. A `grade` is seen at once, and takes the place of a draft. Null clears either.',
  scopes: ['edu.classes', 'edu.assignments'],
  params: submissionParams,
  body: AssignmentSubmissionUpdate,
  responses: { 200: AssignmentSubmission },
  async handle({ ctx, actor, params, body }) {
    const { standing, submission } = await ctx.transaction(async (tx) => {
      const loaded = await loadOpenSubmission(ctx, tx, actor, params, canTeach)
      const param = foreignField('teacher', body)
      if (param) fail('SUBMISSION_FIELD_DENIED', { param })
      return { ...loaded, submission: await gradeSubmission(ctx, tx, actor, loaded, body) }
    })
    return composeSubmission(ctx, actor.id, standing, submission)
  },
})
