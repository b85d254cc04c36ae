import Type from 'typebox'
import { ClassAssignment } from '../../../contract/assignments.ts'
import { EduResourceUseInClass } from '../../../contract/edu-resources.ts'
import { operation } from '../../../operation.ts'
import { composeClassAssignment } from '../assignments/compose.ts'
import { copyToClass } from '../assignments/copies.ts'
import { canManage, loadOpenClass } from '../classes/policy.ts'
import { canSee, checkRole, loadAssignmentResource } from './policy.ts'

export const useEduResourceInClass = operation({
  id: 'useEduResourceInClass',
  tag: 'EduResources',
  summary: 'Use a resource in a class',
  description:
    'Copies the assignment of the resource into a class that the caller teaches, as a new draft or ' +
    'into the draft that `assignment` names. The copy has its own scores. Later changes of the ' +
    'resource do not affect it.',
  scopes: ['edu.resources', 'edu.assignments'],
  checkRole,
  params: Type.Object({ resource: Type.String() }),
  body: EduResourceUseInClass,
  responses: { 200: ClassAssignment },
  async handle({ ctx, actor, params, body }) {
    const copy = await ctx.transaction(async (tx) => {
      const { assignment: source } = await loadAssignmentResource(tx, actor, params.resource, canSee)
      const { schoolClass } = await loadOpenClass(tx, actor, body.classroom, canManage, {
        param: 'classroom',
      })
      return copyToClass(ctx, tx, actor, { source, schoolClass, draft: body.assignment })
    })
    // A draft has no submissions.
    return composeClassAssignment(ctx.db.read, actor.id, copy, [])
  },
})
