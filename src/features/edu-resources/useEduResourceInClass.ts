import Type from 'typebox'
import { ClassAssignment } from '../../contract/assignments.ts'
import { EduResourceUseInClass } from '../../contract/edu-resources.ts'
import { operation } from '../../operation.ts'
import { composeClassAssignment } from '../assignments/compose.ts'
import { copyToClass } from '../assignments/copies.ts'
import { canManage, loadOpenClass } from '../classes/policy.ts'
import { canSee, checkRole, loadAssignmentResource } from './policy.ts'

export const useEduResourceInClass = operation({
  id: 'useEduResourceInClass',
  tag: 'EduResources',
  summary: 'Use a resource in a class',
  description:
    'The assignment of the resource becomes a draft in a class that you teach, or fills the draft that `assignment` names. ' +
    'It is a copy with scores of its own: what becomes of the resource does not change it.',
  scopes: ['edu.resources', 'edu.assignments'],
  checkRole,
  params: Type.Object({ resource: Type.String() }),
  body: EduResourceUseInClass,
  responses: { 200: ClassAssignment },
  async handle({ ctx, actor, params, body }) {
    const copy = await ctx.transaction(async (tx) => {
      const { assignment: source } = await loadAssignmentResource(tx, actor, params.resource, canSee)
      const { klass } = await loadOpenClass(tx, actor, body.classroom, canManage, { param: 'classroom' })
      return copyToClass(ctx, tx, actor, { source, klass, draft: body.assignment })
    })
    // Nobody has begun what is a draft.
    return composeClassAssignment(ctx.db.read, actor.id, copy, [])
  },
})
