import Type from 'typebox'
import { Empty, operation } from '../../../operation.ts'
import { deleteWorkOn } from '../submissions/removal.ts'
import { recordAssignmentEvent } from './events.ts'
import { loadManagedAssignment } from './policy.ts'
import { removeAssignment } from './removal.ts'

export const deleteAssignment = operation({
  id: 'deleteAssignment',
  tag: 'Class',
  summary: 'Delete an assignment',
  description:
    'Available to the teachers of the class. The assignment and all submissions are deleted ' +
    'permanently. To keep them, archive the assignment instead.',
  scopes: ['edu.classes', 'edu.assignments'],
  params: Type.Object({ class: Type.String(), assignment: Type.String() }),
  responses: { 204: Empty },
  async handle({ ctx, actor, params }) {
    await ctx.transaction(async (tx) => {
      const { assignment, schoolClass } = await loadManagedAssignment(ctx, tx, actor, params)
      await deleteWorkOn(ctx, tx, assignment.id)
      await removeAssignment(ctx, tx, assignment)
      const event = { assignment: assignment.id, type: 'assignment.deleted', actor: actor.id } as const
      await recordAssignmentEvent(ctx, tx, schoolClass, event)
    })
  },
})
