import Type from 'typebox'
import { Empty, operation } from '../../../operation.ts'
import { recomputeGrants } from '../../teaching/assignments/access.ts'
import { nameMembers } from '../../teaching/assignments/assignees.store.ts'
import { loadOpenGroup } from '../../teaching/classes/class-groups.ts'
import { deleteGrantsOfGroup } from '../../library/sharing/grants.store.ts'
import { deleteGroupRow } from './store.ts'

export const deleteGroup = operation({
  id: 'deleteGroup',
  tag: 'Group',
  summary: 'Delete a group',
  description:
    'Available to the teachers of the class and administrators. The members stay in the class, but ' +
    'lose access to everything that was shared with the group. Assignments for the group are ' +
    'assigned to its former members. Groups that were made from it for group work keep their members ' +
    'and their work. The built-in groups of a class cannot be deleted.',
  scopes: ['edu.classes', 'edu.admin', 'edu.admin.users'],
  params: Type.Object({ group: Type.String() }),
  responses: { 204: Empty },
  errors: [403, 404],
  async handle({ ctx, actor, params }) {
    await ctx.transaction(async (tx) => {
      const { group, schoolClass } = await loadOpenGroup(tx, actor, params.group)
      const named = await nameMembers(tx, group.id)
      await deleteGrantsOfGroup(tx, group.id)
      await deleteGroupRow(tx, group.id)
      for (const assignment of named) await recomputeGrants(ctx, tx, schoolClass, assignment)
    })
  },
})
