import {
  AssignmentSubmission,
  AssignmentSubmissionUpdate,
  submissionParams,
} from '../../../contract/submissions.ts'
import { fail } from '../../../errors.ts'
import { operation } from '../../../operation.ts'
import { composeSubmission } from './compose.ts'
import { fieldOfOtherRole } from './lifecycle.ts'
import { canTeach, loadOpenSubmission } from './policy.ts'
import { applyTeacherRequest } from './teacher-requests.ts'

export const editSubmission = operation({
  id: 'editSubmission',
  tag: 'Class',
  summary: 'Grade and return a submission',
  description:
    'For teachers. A `draftGrade` is hidden from the students. It becomes the grade when the work ' +
    'is returned without a `grade`. A `grade` is visible immediately and replaces a draft. `null` ' +
    'clears either field.',
  scopes: ['edu.classes', 'edu.assignments'],
  params: submissionParams,
  body: AssignmentSubmissionUpdate,
  responses: { 200: AssignmentSubmission },
  async handle({ ctx, actor, params, body }) {
    const { relation, submission } = await ctx.transaction(async (tx) => {
      const loaded = await loadOpenSubmission(ctx, tx, actor, params, canTeach)
      const param = fieldOfOtherRole('teacher', body)
      if (param) fail('SUBMISSION_FIELD_DENIED', { param })
      return { ...loaded, submission: await applyTeacherRequest(ctx, tx, actor, loaded, body) }
    })
    return composeSubmission(ctx, actor.id, relation, submission)
  },
})
