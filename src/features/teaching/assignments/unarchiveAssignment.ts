import Type from 'typebox'
import { Assignment } from '../../../contract/assignments.ts'
import { operation } from '../../../operation.ts'
import { updateWorkAccess } from '../submissions/removal.ts'
import { listGroupWork } from '../submissions/group-work.store.ts'
import { composeAssignment } from './compose.ts'
import { changeState } from './state.ts'

export const unarchiveAssignment = operation({
  id: 'unarchiveAssignment',
  tag: 'Class',
  summary: 'Restore an assignment from the archive',
  description:
    'The assignment becomes active, even if it was a draft before. Returns 409 if the assignment is ' +
    'not archived.',
  scopes: ['edu.classes', 'edu.assignments'],
  params: Type.Object({ class: Type.String(), assignment: Type.String() }),
  responses: { 200: Assignment },
  async handle({ ctx, actor, params }) {
    const changed = await changeState(ctx, actor, params, 'unarchive', async (tx, assignment) =>
      updateWorkAccess(ctx, tx, await listGroupWork(tx, { assignment })),
    )
    return composeAssignment(ctx.db.read, changed)
  },
})
