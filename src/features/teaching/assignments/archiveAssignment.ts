import Type from 'typebox'
import { Assignment } from '../../../contract/assignments.ts'
import { operation } from '../../../operation.ts'
import { updateWorkAccess } from '../submissions/removal.ts'
import { listGroupWork } from '../submissions/group-work.store.ts'
import { composeAssignment } from './compose.ts'
import { changeState } from './state.ts'

export const archiveAssignment = operation({
  id: 'archiveAssignment',
  tag: 'Class',
  summary: 'Archive an assignment',
  description:
    'An archived assignment is read-only. Its students can still see it and the work they ' + 'submitted.',
  scopes: ['edu.classes', 'edu.assignments'],
  params: Type.Object({ class: Type.String(), assignment: Type.String() }),
  responses: { 200: Assignment },
  async handle({ ctx, actor, params }) {
    const changed = await changeState(ctx, actor, params, 'archive', async (tx, assignment) =>
      updateWorkAccess(ctx, tx, await listGroupWork(tx, { assignment })),
    )
    return composeAssignment(ctx.db.read, changed)
  },
})
