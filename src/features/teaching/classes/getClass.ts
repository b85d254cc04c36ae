import Type from 'typebox'
import { ClassDetails } from '../../../contract/classes.ts'
import { operation } from '../../../operation.ts'
import { composeClass } from './compose.ts'
import { canRead, loadClass } from './policy.ts'

export const getClass = operation({
  id: 'getClass',
  tag: 'Class',
  summary: 'Get a class',
  description:
    'Available to members of the class and administrators of its organization. Students cannot see ' +
    'an inactive class.',
  scopes: ['edu.classes', 'edu.classes.readonly'],
  params: Type.Object({ class: Type.String() }),
  responses: { 200: ClassDetails },
  async handle({ ctx, actor, params }) {
    return composeClass(
      ctx,
      ctx.db.read,
      actor.id,
      await loadClass(ctx.db.read, actor, params.class, canRead),
    )
  },
})
