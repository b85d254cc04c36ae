import Type from 'typebox'
import { AddedGroupUser, GroupUser } from '../../../contract/groups.ts'
import { operation } from '../../../operation.ts'
import { checkStudents, loadOpenGroup } from '../../teaching/classes/class-groups.ts'
import { shareWork } from '../../teaching/submissions/removal.ts'
import { loadUser } from '../users/policy.ts'
import { insertSubGroupMember } from './store.ts'

export const addGroupUser = operation({
  id: 'addGroupUser',
  tag: 'Group',
  summary: 'Add a student of the class to a group',
  description:
    'Available to the teachers of the class and administrators. Has no effect if the student is ' +
    'already a member of the group. The student also joins the groups that were made from it for ' +
    'group work.',
  scopes: ['edu.classes', 'edu.admin', 'edu.admin.users'],
  params: Type.Object({ group: Type.String() }),
  body: GroupUser,
  responses: { 200: AddedGroupUser },
  errors: [400, 403, 404],
  async handle({ ctx, actor, params, body }) {
    const now = ctx.clock.now()
    return ctx.transaction(async (tx) => {
      const { group, schoolClass } = await loadOpenGroup(tx, actor, params.group)
      const { id } = await loadUser(tx, actor, body.user, { param: 'user' })
      await checkStudents(tx, schoolClass, [id], 'user')
      const groups = await insertSubGroupMember(tx, { group_id: group.id, user_id: id, created_at: now })
      await shareWork(ctx, tx, id, groups)
      return { user: id }
    })
  },
})
