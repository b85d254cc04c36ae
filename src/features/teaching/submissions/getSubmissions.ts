import Type from 'typebox'
import { AssignmentSubmission, submissionsParams } from '../../../contract/submissions.ts'
import { operation } from '../../../operation.ts'
import { loadAssignment } from '../assignments/policy.ts'
import { canRead } from '../classes/policy.ts'
import { composeSubmissionsTo } from './compose.ts'

export const getSubmissions = operation({
  id: 'getSubmissions',
  tag: 'Class',
  summary: 'List the submissions to an assignment',
  description:
    'Teachers receive all submissions. A student receives their own submission, individual or as a ' +
    'member of a group, if there is one.',
  scopes: ['edu.classes', 'edu.classes.readonly', 'edu.assignments', 'edu.assignments.readonly'],
  params: submissionsParams,
  responses: { 200: Type.Array(AssignmentSubmission) },
  async handle({ ctx, actor, params }) {
    const { assignment, relation } = await loadAssignment(ctx, ctx.db.read, actor, params, canRead)
    return composeSubmissionsTo(ctx, ctx.db.read, actor.id, relation, [assignment])
  },
})
