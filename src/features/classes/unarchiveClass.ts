import Type from 'typebox'
import { ClassDetails } from '../../contract/classes.ts'
import { operation } from '../../operation.ts'
import { followClass } from '../assignments/publication.ts'
import { settleWork } from '../submissions/removal.ts'
import { listGroupWork } from '../submissions/store.ts'
import { composeClass } from './compose.ts'
import { changeState } from './state.ts'

export const unarchiveClass = operation({
  id: 'unarchiveClass',
  tag: 'Class',
  summary: 'Take a class out of the archive',
  description: 'It is active again, where the organization may have another class.',
  scopes: ['edu.classes'],
  params: Type.Object({ class: Type.String() }),
  responses: { 200: ClassDetails },
  async handle({ ctx, actor, params }) {
    const changed = await changeState(ctx, actor, params.class, 'unarchive', async (tx, klass, before) => {
      await followClass(ctx, tx, klass, before)
      await settleWork(ctx, tx, await listGroupWork(tx, { class: klass.id }))
    })
    return composeClass(ctx, ctx.db.read, actor.id, changed)
  },
})
