import Type from 'typebox'
import { Empty, operation } from '../../operation.ts'
import { deleteWorkOn } from '../submissions/removal.ts'
import { loadManagedAssignment } from './policy.ts'
import { removeAssignment } from './removal.ts'

export const deleteAssignment = operation({
  id: 'deleteAssignment',
  tag: 'Class',
  summary: 'Delete an assignment',
  description: 'By the teachers of its class, for good, with all that was handed in. To keep that, archive it.',
  scopes: ['edu.classes', 'edu.assignments'],
  params: Type.Object({ class: Type.String(), assignment: Type.String() }),
  responses: { 204: Empty },
  async handle({ ctx, actor, params }) {
    await ctx.transaction(async (tx) => {
      const { assignment } = await loadManagedAssignment(ctx, tx, actor, params)
      await deleteWorkOn(ctx, tx, assignment.id)
      await removeAssignment(ctx, tx, assignment)
    })
  },
})
