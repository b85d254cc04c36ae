import { GroupCreation, GroupDetails } from '../../../contract/groups.ts'
import { fail } from '../../../errors.ts'
import { operation } from '../../../operation.ts'
import { checkStudents } from '../../teaching/classes/class-groups.ts'
import { canManage, loadOpenClass } from '../../teaching/classes/policy.ts'
import { findTestStudentsGroup, testStudentsTag, testStudentsTags } from '../../teaching/classes/store.ts'
import { checkMember } from '../organizations/policy.ts'
import { rethrowNameTaken, groupName, nextGroupName, testStudentsName } from './names.ts'
import { loadGroup } from './policy.ts'
import { presentGroupDetails } from './present.ts'
import { insertGroup, insertGroupMember } from './store.ts'

export const createGroup = operation({
  id: 'createGroup',
  tag: 'Group',
  summary: 'Create a group of students of a class',
  description:
    'Available to the teachers of the class and administrators. A group without a name is called ' +
    '“Group” and a number. The name `edu:testing-students` creates the group of the test students of ' +
    'the class, named in the language of the request and tagged with `edu:testing-students`. Test ' +
    'students that are created later join it. Group names are unique within a class, and a class has ' +
    'one such group.',
  scopes: ['edu.classes', 'edu.admin', 'edu.admin.users'],
  body: GroupCreation,
  responses: { 200: GroupDetails },
  errors: [400, 403, 409],
  async handle({ ctx, actor, body: { type, classroom, name, members = [] }, request }) {
    const { organization } = checkMember(actor)
    const isForTests = name === testStudentsTag
    const named = isForTests
      ? testStudentsName(request.locale())
      : name === undefined
        ? undefined
        : groupName(name)
    const created_at = ctx.clock.now()
    const group = await ctx
      .transaction(async (tx) => {
        const { schoolClass } = await loadOpenClass(tx, actor, classroom, canManage, { param: 'classroom' })
        await checkStudents(tx, schoolClass, members, 'members')
        if (isForTests && (await findTestStudentsGroup(tx, schoolClass.id)))
          fail('GROUP_NAME_TAKEN', { param: 'name' })
        const id = ctx.newId()
        const called = named ?? (await nextGroupName(tx, schoolClass.id))
        await insertGroup(tx, {
          id,
          organization_id: organization,
          class_id: schoolClass.id,
          parent_id: null,
          type,
          ...called,
          tags: isForTests ? testStudentsTags : '[]',
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
