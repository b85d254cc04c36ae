import Type from 'typebox'
import { fail } from '../../errors.ts'
import { Empty, operation } from '../../operation.ts'
import { settleAccess } from '../assignments/access.ts'
import { nameMembers } from '../assignments/store.ts'
import { loadOpenGroup } from '../classes/class-groups.ts'
import { listGroupWork } from '../submissions/store.ts'
import { deleteGrantsOfGroup } from '../scores/grants.ts'
import { deleteGroupRow } from './store.ts'

export const deleteGroup = operation({
  id: 'deleteGroup',
  tag: 'Group',
  summary: 'Delete a group',
  description:
    'For the teachers of its class and administrators. Its members stay in the class, and lose what was shared with the ' +
    'group; assignments that name the group name them from then on. The groups that come with a class stay, and those that ' +
    'have begun work together.',
  scopes: ['edu.classes', 'edu.admin', 'edu.admin.users'],
  params: Type.Object({ group: Type.String() }),
  responses: { 204: Empty },
  errors: [403, 404, 409],
  async handle({ ctx, actor, params }) {
    await ctx.transaction(async (tx) => {
      const { group, klass } = await loadOpenGroup(tx, actor, params.group)
      if ((await listGroupWork(tx, { groups: [group.id] })).length > 0) fail('GROUP_HAS_WORK')
      const named = await nameMembers(tx, group.id)
      await deleteGrantsOfGroup(tx, group.id)
      await deleteGroupRow(tx, group.id)
      for (const assignment of named) await settleAccess(ctx, tx, klass, assignment)
    })
  },
})
