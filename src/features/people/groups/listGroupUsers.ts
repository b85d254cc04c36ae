import Type from 'typebox'
import { OneOf } from '../../../contract/schema.ts'
import { UserPublic } from '../../../contract/users.ts'
import { operation } from '../../../operation.ts'
import { loadGroupOfClass } from '../../teaching/classes/class-groups.ts'
import { presentUser } from '../users/present.ts'
import { classRoleIn } from './policy.ts'
import { listMembers } from './store.ts'

export const listGroupUsers = operation({
  id: 'listGroupUsers',
  tag: 'Group',
  summary: 'List the members of a group',
  description: 'Sorted by name. Available to every user who can see the group.',
  scopes: ['edu.admin', 'edu.admin.users', 'edu.admin.users.readonly', 'edu.classes', 'edu.classes.readonly'],
  params: Type.Object({ group: Type.String() }),
  query: Type.Object({
    source: Type.Optional(
      OneOf(['googleClassroom', 'microsoftGraph', 'clever'], {
        description:
          'Lists only members from this source. Classes are not synchronized with any external ' +
          'source yet, so a value returns no members.',
      }),
    ),
  }),
  responses: { 200: Type.Array(UserPublic) },
  errors: [404],
  async handle({ ctx, actor, params, query }) {
    const { group } = await loadGroupOfClass(ctx.db.read, actor, params.group)
    const users = query.source ? [] : await listMembers(ctx.db.read, group.id)
    return users.map((user) => ({
      ...presentUser(user, ctx.config.publicUrl),
      classRole: classRoleIn(group),
    }))
  },
})
