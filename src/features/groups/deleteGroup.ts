import Type from 'typebox'
import { Empty, operation } from '../../operation.ts'
import { loadOpenGroup } from '../classes/class-groups.ts'
import { deleteGrantsOfGroup } from '../scores/grants.ts'
import { deleteGroupRow } from './store.ts'

export const deleteGroup = operation({
  id: 'deleteGroup',
  tag: 'Group',
  summary: 'Delete a group',
  description:
    'For the teachers of its class and administrators. Its members stay in the class, and lose what was shared with the ' +
    'group. The groups that come with a class stay.',
  scopes: ['edu.classes', 'edu.admin', 'edu.admin.users'],
  params: Type.Object({ group: Type.String() }),
  responses: { 204: Empty },
  errors: [403, 404],
  async handle({ ctx, actor, params }) {
    await ctx.transaction(async (tx) => {
      const { group } = await loadOpenGroup(tx, actor, params.group)
      await deleteGrantsOfGroup(tx, group.id)
      await deleteGroupRow(tx, group.id)
    })
  },
})
