import Type from 'typebox'
import { ClassDetails } from '../../../contract/classes.ts'
import { operation } from '../../../operation.ts'
import { updateAfterClassStateChange } from '../../people/departures/classes.ts'
import { composeClass } from './compose.ts'
import { changeState } from './state.ts'

export const activateClass = operation({
  id: 'activateClass',
  tag: 'Class',
  summary: 'Activate a class',
  description:
    'Activates an inactive class. A class from a roster can be inactive at first. Students see an ' +
    'active class.',
  scopes: ['edu.classes'],
  params: Type.Object({ class: Type.String() }),
  responses: { 200: ClassDetails },
  async handle({ ctx, actor, params }) {
    const changed = await changeState(ctx, actor, params.class, 'activate', updateAfterClassStateChange)
    return composeClass(ctx, ctx.db.read, actor.id, changed)
  },
})
