import Type from 'typebox'
import { GroupDetails } from '../../../contract/groups.ts'
import { operation } from '../../../operation.ts'
import { loadGroupOfClass } from '../../teaching/classes/class-groups.ts'
import { presentGroupDetails } from './present.ts'

export const getGroupDetails = operation({
  id: 'getGroupDetails',
  tag: 'Group',
  summary: 'Get a group',
  description:
    'Available to members of the group, teachers of its class, and administrators. All students of ' +
    'a class can see the two built-in groups, teachers and students.',
  scopes: ['edu.admin', 'edu.admin.users', 'edu.admin.users.readonly', 'edu.classes', 'edu.classes.readonly'],
  params: Type.Object({ group: Type.String() }),
  responses: { 200: GroupDetails },
  errors: [404],
  async handle({ ctx, actor, params }) {
    const { group } = await loadGroupOfClass(ctx.db.read, actor, params.group)
    return presentGroupDetails(group)
  },
})
