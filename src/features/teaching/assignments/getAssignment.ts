import Type from 'typebox'
import { ClassAssignment } from '../../../contract/assignments.ts'
import { operation } from '../../../operation.ts'
import { canRead } from '../classes/policy.ts'
import { plain } from '../../../lib/cached-json.ts'
import { composeSubmissionsTo } from '../submissions/compose.ts'
import { composeClassAssignment } from './compose.ts'
import { loadAssignment } from './policy.ts'

export const getAssignment = operation({
  id: 'getAssignment',
  tag: 'Class',
  summary: 'Get an assignment',
  description: 'Returns the same object as the list of the class, under the same access rules.',
  scopes: ['edu.classes', 'edu.classes.readonly', 'edu.assignments', 'edu.assignments.readonly'],
  params: Type.Object({ class: Type.String(), assignment: Type.String() }),
  responses: { 200: ClassAssignment },
  async handle({ ctx, actor, params }) {
    const loaded = await loadAssignment(ctx, ctx.db.read, actor, params, canRead)
    const { assignment, relation } = loaded
    const submissions = await composeSubmissionsTo(ctx, ctx.db.read, actor.id, relation, [assignment])
    return composeClassAssignment(ctx.db.read, actor.id, loaded, submissions.map(plain))
  },
})
