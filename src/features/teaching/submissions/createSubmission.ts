import {
  AssignmentSubmission,
  AssignmentSubmissionUpdate,
  submissionsParams,
} from '../../../contract/submissions.ts'
import { fail } from '../../../errors.ts'
import { operation } from '../../../operation.ts'
import { composeSubmission } from './compose.ts'
import { startsWithBlankScore, createBlankContents } from './copies.ts'
import { fieldOfOtherRole } from './lifecycle.ts'
import { loadOpenAssignment } from './policy.ts'
import { needsCopies, applyStudentRequest } from './student-requests.ts'

export const createSubmission = operation({
  id: 'createSubmission',
  tag: 'Class',
  summary: 'Create, edit, submit or take back a submission',
  description:
    'For students. The first request creates the scores to work in, for the student, or for the ' +
    'group if groups submit together. `submit: true` submits the work. A submitted work can be ' +
    'changed only by submitting again, or after it is taken back with `submit: false`.',
  scopes: ['edu.classes', 'edu.assignments'],
  params: submissionsParams,
  body: AssignmentSubmissionUpdate,
  responses: { 200: AssignmentSubmission },
  async handle({ ctx, actor, params, body }) {
    const work = (blank: Awaited<ReturnType<typeof createBlankContents>> | undefined) =>
      ctx.transaction(async (tx) => {
        const loaded = await loadOpenAssignment(ctx, tx, actor, params)
        const param = fieldOfOtherRole('student', body)
        if (param) fail('SUBMISSION_FIELD_DENIED', { param })
        if (!blank && startsWithBlankScore(loaded) && (await needsCopies(tx, loaded, actor.id))) {
          return { needsBlank: loaded.assignment.title }
        }
        return {
          relation: loaded.relation,
          submission: await applyStudentRequest(ctx, tx, actor, loaded, body, blank),
        }
      })
    // Creating the empty score takes time, so it happens outside the transaction. The first transaction finds
    // out whether one is needed.
    const first = await work(undefined)
    const saved =
      first.needsBlank === undefined ? first : await work(await createBlankContents(ctx, first.needsBlank))
    if (saved.needsBlank !== undefined) throw new Error('The blank score that was created is not used')
    return composeSubmission(ctx, actor.id, saved.relation, saved.submission)
  },
})
