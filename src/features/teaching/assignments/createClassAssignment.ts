import Type from 'typebox'
import { Assignment, ClassAssignmentUpdate } from '../../../contract/assignments.ts'
import { fail } from '../../../errors.ts'
import { operation } from '../../../operation.ts'
import { canManage, loadOpenClass } from '../classes/policy.ts'
import { changeAssignment } from './changes.ts'
import { composeAssignment } from './compose.ts'
import { insertNewAssignment } from './new-assignment.ts'
import { loadManagedAssignment } from './policy.ts'

export const createClassAssignment = operation({
  id: 'createClassAssignment',
  tag: 'Class',
  summary: 'Create an assignment',
  description:
    'Available to the teachers of the class. `title` is required. The assignment is a draft unless ' +
    '`state` says otherwise. While students can see the assignment, the class has access to the ' +
    'attached scores: `sharingMode` of each attachment says whether it can read or write.',
  scopes: ['edu.classes', 'edu.assignments'],
  params: Type.Object({ class: Type.String() }),
  body: ClassAssignmentUpdate,
  responses: { 200: Assignment },
  async handle({ ctx, actor, params, body }) {
    const { title } = body
    const loaded = await ctx.transaction(async (tx) => {
      const { schoolClass } = await loadOpenClass(tx, actor, params.class, canManage)
      if (title === undefined) fail('INVALID_PARAMETER', { param: 'title', message: '`title` is missing.' })
      const properties = { title, creator: actor.id, class: schoolClass.id }
      const assignment = await insertNewAssignment(ctx, tx, properties)
      await changeAssignment(ctx, tx, actor, schoolClass, assignment, body)
      return loadManagedAssignment(ctx, tx, actor, { class: schoolClass.id, assignment: assignment.id })
    })
    return composeAssignment(ctx.db.read, loaded)
  },
})
