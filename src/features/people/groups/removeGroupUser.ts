import Type from 'typebox'
import { fail } from '../../../errors.ts'
import { Empty, operation } from '../../../operation.ts'
import { loadOpenGroup } from '../../teaching/classes/class-groups.ts'
import { transferGroupWork } from '../../teaching/submissions/removal.ts'
import { loadUser } from '../users/policy.ts'
import { deleteSubGroupMember } from './store.ts'

export const removeGroupUser = operation({
  id: 'removeGroupUser',
  tag: 'Group',
  summary: 'Remove a student from a group',
  description:
    'Available to the teachers of the class and administrators. The student stays in the class, and ' +
    'leaves the groups that were made from the group for group work. The work of the group stays with its other members.',
  scopes: ['edu.classes', 'edu.admin', 'edu.admin.users'],
  params: Type.Object({
    group: Type.String(),
    user: Type.String({ description: 'The id of the user, or `me`.' }),
  }),
  responses: { 204: Empty },
  errors: [403, 404],
  async handle({ ctx, actor, params }) {
    await ctx.transaction(async (tx) => {
      const { group } = await loadOpenGroup(tx, actor, params.group)
      const { id } = await loadUser(tx, actor, params.user)
      const groups = await deleteSubGroupMember(tx, group.id, id)
      if (!groups) fail('USER_NOT_FOUND')
      await transferGroupWork(ctx, tx, id, groups)
    })
  },
})
