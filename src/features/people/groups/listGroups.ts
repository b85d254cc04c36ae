import Type from 'typebox'
import { GroupDetails } from '../../../contract/groups.ts'
import { OneOf } from '../../../contract/schema.ts'
import { fail } from '../../../errors.ts'
import { operation } from '../../../operation.ts'
import { loadAnyAssignment } from '../../teaching/assignments/policy.ts'
import { canManage, canRead, loadClass } from '../../teaching/classes/policy.ts'
import { checkMember } from '../organizations/policy.ts'
import { composeAssignmentGroups } from './compose.ts'
import { presentGroupDetails } from './present.ts'
import { listSubGroups } from './store.ts'

export const listGroups = operation({
  id: 'listGroups',
  tag: 'Group',
  summary: 'List the groups of a class or an assignment',
  description:
    'Sorted by name. Teachers of the class and administrators see all groups. Students see their ' +
    'own. Use `classroom` to list groups of type `classStudentsSubGroup`. Use `assignment` to list ' +
    'groups of type `assignmentStudentsSubGroup`: the groups of the class that the assignment is ' +
    'for.',
  scopes: [
    'edu.classes',
    'edu.classes.readonly',
    'edu.admin',
    'edu.admin.readonly',
    'edu.admin.users.readonly',
  ],
  query: Type.Object({
    type: OneOf(['classStudentsSubGroup', 'assignmentStudentsSubGroup']),
    classroom: Type.Optional(Type.String({ description: 'The id of the class.' })),
    assignment: Type.Optional(Type.String({ description: 'The id of the assignment.' })),
  }),
  responses: { 200: Type.Array(GroupDetails) },
  errors: [400, 403, 404],
  async handle({ ctx, actor, query: { type, classroom, assignment } }) {
    const member = checkMember(actor)
    if (type === 'assignmentStudentsSubGroup') {
      if (assignment === undefined) failMissing('assignment', type)
      const loaded = await loadAnyAssignment(ctx, ctx.db.read, member, assignment, { param: 'assignment' })
      return composeAssignmentGroups(ctx.db.read, loaded, member.id)
    }
    if (classroom === undefined) failMissing('classroom', type)
    const { schoolClass, relation } = await loadClass(ctx.db.read, actor, classroom, canRead, {
      param: 'classroom',
    })
    const filter = { classId: schoolClass.id, member: canManage(relation) ? undefined : member.id }
    const groups = await listSubGroups(ctx.db.read, filter)
    return groups.map(presentGroupDetails)
  },
})

function failMissing(param: string, type: string): never {
  fail('INVALID_PARAMETER', { param, message: `\`${param}\` is needed for groups of the type ${type}.` })
}
