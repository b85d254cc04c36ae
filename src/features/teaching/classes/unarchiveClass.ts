import Type from 'typebox'
import { ClassDetails } from '../../../contract/classes.ts'
import { operation } from '../../../operation.ts'
import { updateAfterClassStateChange } from '../../people/departures/classes.ts'
import { composeClass } from './compose.ts'
import { changeState } from './state.ts'

export const unarchiveClass = operation({
  id: 'unarchiveClass',
  tag: 'Class',
  summary: 'Restore a class from the archive',
  description: 'The class becomes active, if the organization may have another class.',
  scopes: ['edu.classes'],
  params: Type.Object({ class: Type.String() }),
  responses: { 200: ClassDetails },
  async handle({ ctx, actor, params }) {
    const changed = await changeState(ctx, actor, params.class, 'unarchive', updateAfterClassStateChange)
    return composeClass(ctx, ctx.db.read, actor.id, changed)
  },
})
