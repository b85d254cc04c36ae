import Type from 'typebox'
import { Assignment } from '../../contract/assignments.ts'
import { operation } from '../../operation.ts'
import { composeAssignment } from './compose.ts'
import { changeState } from './state.ts'

export const archiveAssignment = operation({
  id: 'archiveAssignment',
  tag: 'Class',
  summary: 'Archive an assignment',
  description: 'From then on it can only be read. Its students keep finding it, with what they have handed in.',
  scopes: ['edu.classes', 'edu.assignments'],
  params: Type.Object({ class: Type.String(), assignment: Type.String() }),
  responses: { 200: Assignment },
  async handle({ ctx, actor, params }) {
    return composeAssignment(ctx.db.read, await changeState(ctx, actor, params, 'archive'))
  },
})
