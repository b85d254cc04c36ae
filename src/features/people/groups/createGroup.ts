import { GroupCreation, GroupDetails } from '../../../contract/groups.ts'
import { operation } from '../../../operation.ts'
import { checkStudents } from '../../teaching/classes/class-groups.ts'
import { canManage, loadOpenClass } from '../../teaching/classes/policy.ts'
import { checkMember } from '../organizations/policy.ts'
import { rethrowNameTaken, groupName, nextGroupName } from './names.ts'
import { loadGroup } from './policy.ts'
import { presentGroupDetails } from './present.ts'
import { insertGroup, insertGroupMember } from './store.ts'

export const createGroup = operation({
  id: 'createGroup',
  tag: 'Group',
  summary: 'Create a group of students of a class',
  description:
    'Available to the teachers of the class and administrators. A group without a name is called ' +
    '“Group” and a number. Group names are unique within a class.',
  scopes: ['edu.classes', 'edu.admin', 'edu.admin.users'],
  body: GroupCreation,
  responses: { 200: GroupDetails },
  errors: [400, 403, 409],
  async handle({ ctx, actor, body: { type, classroom, name, members = [] } }) {
    const { organization } = checkMember(actor)
    const named = name === undefined ? undefined : groupName(name)
    const created_at = ctx.clock.now()
    const group = await ctx
      .transaction(async (tx) => {
        const { schoolClass } = await loadOpenClass(tx, actor, classroom, canManage, { param: 'classroom' })
        await checkStudents(tx, schoolClass, members, 'members')
        const id = ctx.newId()
        const called = named ?? (await nextGroupName(tx, schoolClass.id))
        await insertGroup(tx, {
          id,
          organization_id: organization,
          class_id: schoolClass.id,
          type,
          ...called,
          tags: '[]',
          created_at,
        })
        for (const user_id of members)
          await insertGroupMember(tx, { group_id: id, user_id, created_at, placement: null })
        return loadGroup(tx, actor, id)
      })
      .catch(rethrowNameTaken)
    return presentGroupDetails(group)
  },
})
