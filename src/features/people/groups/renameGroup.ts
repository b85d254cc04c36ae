import Type from 'typebox'
import { GroupDetails, GroupUpdate } from '../../../contract/groups.ts'
import { operation } from '../../../operation.ts'
import { loadOpenGroup } from '../../teaching/classes/class-groups.ts'
import { rethrowNameTaken, groupName } from './names.ts'
import { presentGroupDetails } from './present.ts'
import { updateGroupName } from './store.ts'

export const renameGroup = operation({
  id: 'renameGroup',
  tag: 'Group',
  summary: 'Rename a group',
  description:
    'Available to the teachers of the class and administrators. The built-in groups of a class ' +
    'cannot be renamed.',
  scopes: ['edu.classes', 'edu.admin', 'edu.admin.users'],
  params: Type.Object({ group: Type.String() }),
  body: GroupUpdate,
  responses: { 200: GroupDetails },
  errors: [400, 403, 404, 409],
  async handle({ ctx, actor, params, body }) {
    const named = groupName(body.name)
    const group = await ctx
      .transaction(async (tx) => {
        const { group } = await loadOpenGroup(tx, actor, params.group)
        await updateGroupName(tx, group.id, named)
        return { ...group, ...named }
      })
      .catch(rethrowNameTaken)
    return presentGroupDetails(group)
  },
})
