import Type from 'typebox'
import { Empty, operation } from '../../operation.ts'
import { checkMember, loadMember } from '../organizations/policy.ts'
import { joinClass } from './members.ts'
import { canManage, checkOpen, loadClass } from './policy.ts'

export const addClassUser = operation({
  id: 'addClassUser',
  tag: 'Class',
  summary: 'Add somebody to a class',
  description:
    'Somebody of its organization: students learn in it, everybody else teaches. By a teacher of the class or an ' +
    'administrator.',
  scopes: ['edu.classes'],
  params: Type.Object({
    class: Type.String(),
    user: Type.String({ description: 'The id of the user, or `me`.' }),
  }),
  responses: { 204: Empty },
  async handle({ ctx, actor, params }) {
    await ctx.transaction(async (tx) => {
      const { klass } = await loadClass(tx, actor, params.class, canManage)
      const user = await loadMember(tx, checkMember(actor), params.user)
      checkOpen(klass)
      await joinClass(ctx, tx, klass, user, actor.id)
    })
  },
})
