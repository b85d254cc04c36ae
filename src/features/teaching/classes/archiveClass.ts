import Type from 'typebox'
import { ClassDetails } from '../../../contract/classes.ts'
import { operation } from '../../../operation.ts'
import { updateAfterClassStateChange } from '../../people/departures/classes.ts'
import { composeClass } from './compose.ts'
import { changeState } from './state.ts'

export const archiveClass = operation({
  id: 'archiveClass',
  tag: 'Class',
  summary: 'Archive a class',
  description:
    'An archived class is read-only and does not count against the maximum number of classes of the ' +
    'organization.',
  scopes: ['edu.classes'],
  params: Type.Object({ class: Type.String() }),
  responses: { 200: ClassDetails },
  async handle({ ctx, actor, params }) {
    const changed = await changeState(ctx, actor, params.class, 'archive', updateAfterClassStateChange)
    return composeClass(ctx, ctx.db.read, actor.id, changed)
  },
})
