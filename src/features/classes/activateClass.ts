import Type from 'typebox'
import { ClassDetails } from '../../contract/classes.ts'
import { operation } from '../../operation.ts'
import { followClass } from '../assignments/publication.ts'
import { composeClass } from './compose.ts'
import { changeState } from './state.ts'

export const activateClass = operation({
  id: 'activateClass',
  tag: 'Class',
  summary: 'Activate a class',
  description: 'One that is inactive, as those of a roster may be at first. Students find it from then on.',
  scopes: ['edu.classes'],
  params: Type.Object({ class: Type.String() }),
  responses: { 200: ClassDetails },
  async handle({ ctx, actor, params }) {
    const changed = await changeState(ctx, actor, params.class, 'activate', (...change) => followClass(ctx, ...change))
    return composeClass(ctx, ctx.db.read, actor.id, changed)
  },
})
