import Type from 'typebox'
import { Empty, operation } from '../../../operation.ts'
import { checkMember, loadMember } from '../../people/organizations/policy.ts'
import { joinClass } from './members.ts'
import { canManage, checkOpen, loadClass } from './policy.ts'

export const addClassUser = operation({
  id: 'addClassUser',
  tag: 'Class',
  summary: 'Add a member to a class',
  description:
    'Adds a member of the class’s organization. A student becomes a student of the class. A member ' +
    'with any other role becomes a teacher. Available to teachers of the class and administrators.',
  scopes: ['edu.classes'],
  params: Type.Object({
    class: Type.String(),
    user: Type.String({ description: 'The id of the user, or `me`.' }),
  }),
  responses: { 204: Empty },
  async handle({ ctx, actor, params }) {
    await ctx.transaction(async (tx) => {
      const { schoolClass, relation } = await loadClass(tx, actor, params.class, canManage)
      const user = await loadMember(tx, checkMember(actor), params.user)
      checkOpen(schoolClass)
      // A teacher cannot confirm the own placement, which may result from the enrolment code.
      if (!relation.isAdministrator && user.id === actor.id) return
      const placement = relation.isAdministrator ? 'administrator' : 'teacher'
      await joinClass(ctx, tx, schoolClass, user, { by: actor.id, placement })
    })
  },
})
