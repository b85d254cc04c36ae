import Type from 'typebox'
import { ClassDetails } from '../../contract/classes.ts'
import { operation } from '../../operation.ts'
import { followClass } from '../assignments/publication.ts'
import { settleWork } from '../submissions/removal.ts'
import { listGroupWork } from '../submissions/store.ts'
import { composeClass } from './compose.ts'
import { changeState } from './state.ts'

export const archiveClass = operation({
  id: 'archiveClass',
  tag: 'Class',
  summary: 'Archive a class',
  description: 'From then on it can only be read, and counts no more among the classes that the organization may have.',
  scopes: ['edu.classes'],
  params: Type.Object({ class: Type.String() }),
  responses: { 200: ClassDetails },
  async handle({ ctx, actor, params }) {
    const changed = await changeState(ctx, actor, params.class, 'archive', async (tx, klass, before) => {
      await followClass(ctx, tx, klass, before)
      await settleWork(ctx, tx, await listGroupWork(tx, { class: klass.id }))
    })
    return composeClass(ctx, ctx.db.read, actor.id, changed)
  },
})
