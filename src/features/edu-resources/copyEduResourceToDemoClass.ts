import Type from 'typebox'
import { ClassAssignment } from '../../contract/assignments.ts'
import { operation } from '../../operation.ts'
import { composeClassAssignment } from '../assignments/compose.ts'
import { copyToClass } from '../assignments/copies.ts'
import { newTestStudent } from '../classes/test-student.ts'
import { checkStaff } from '../organizations/policy.ts'
import { findDemoClass, openDemoClass } from './demo-class.ts'
import { canSee, checkRole, loadAssignmentResource } from './policy.ts'

export const copyEduResourceToDemoClass = operation({
  id: 'copyEduResourceToDemoClass',
  tag: 'EduResources',
  summary: 'Try a resource out in your demo class',
  description:
    'A class of your own with a test student, made when it is first needed, and anew when you have archived or left it. The ' +
    'assignment of the resource becomes a draft in it. It counts as a class of the organization.',
  scopes: ['edu.resources', 'edu.assignments'],
  checkRole,
  params: Type.Object({ resource: Type.String() }),
  responses: { 200: ClassAssignment },
  errors: [402],
  async handle({ ctx, actor, params }) {
    const member = checkStaff(actor)
    // The password of the account is slow to make, so not in the transaction.
    await loadAssignmentResource(ctx.db.read, actor, params.resource, canSee)
    const student = (await findDemoClass(ctx.db.read, member)) ? undefined : await newTestStudent(ctx, member)
    const copy = (account: typeof student) =>
      ctx.transaction(async (tx) => {
        const { assignment: source } = await loadAssignmentResource(tx, actor, params.resource, canSee)
        const klass = (await findDemoClass(tx, member)) ?? (account && (await openDemoClass(ctx, tx, member, account)))
        return klass && copyToClass(ctx, tx, actor, { source, klass })
      })
    // The class may have been archived in between.
    const copied = (await copy(student)) ?? (await copy(await newTestStudent(ctx, member)))
    if (!copied) throw new Error('No demo class was made')
    // Nobody has begun what is a draft.
    return composeClassAssignment(ctx.db.read, actor.id, copied, [])
  },
})
