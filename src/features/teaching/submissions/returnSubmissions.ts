import Type from 'typebox'
import { AssignmentSubmission, SubmissionsReturn, submissionsParams } from '../../../contract/submissions.ts'
import { fail } from '../../../errors.ts'
import { operation } from '../../../operation.ts'
import { loadManagedAssignment } from '../assignments/policy.ts'
import { composeSubmissions } from './compose.ts'
import { awaitsReturn } from './lifecycle.ts'
import { listSubmissions } from './store.ts'
import { returnSubmission } from './teacher-requests.ts'

export const returnSubmissions = operation({
  id: 'returnSubmissions',
  tag: 'Class',
  summary: 'Return several submissions',
  description:
    'For teachers. Draft grades become grades. The operation returns all listed submissions or, on ' +
    'an error, none of them.',
  scopes: ['edu.classes', 'edu.assignments'],
  params: submissionsParams,
  body: SubmissionsReturn,
  responses: { 200: Type.Array(AssignmentSubmission) },
  async handle({ ctx, actor, params, body }) {
    const requested = body.submissions && new Set(body.submissions)
    const returned = await ctx.transaction(async (tx) => {
      const loaded = await loadManagedAssignment(ctx, tx, actor, params)
      const of = { class: loaded.schoolClass.id, assignments: [loaded.assignment.id] }
      const all = await listSubmissions(tx, of, { viewer: actor.id, own: false })
      const chosen = all.filter(({ id, state }) => (requested ? requested.has(id) : awaitsReturn(state)))
      if (requested && chosen.length < requested.size) fail('SUBMISSION_NOT_FOUND', { param: 'submissions' })
      return Promise.all(chosen.map((submission) => returnSubmission(ctx, tx, actor, loaded, submission)))
    })
    return composeSubmissions(ctx, ctx.db.read, { id: actor.id, teaches: () => true }, returned)
  },
})
