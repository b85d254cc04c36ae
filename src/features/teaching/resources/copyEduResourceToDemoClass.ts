import Type from 'typebox'
import { ClassAssignment } from '../../../contract/assignments.ts'
import { operation } from '../../../operation.ts'
import { composeClassAssignment } from '../assignments/compose.ts'
import { copyToClass } from '../assignments/copies.ts'
import { newTestStudent } from '../classes/test-student.ts'
import { checkStaff } from '../../people/organizations/policy.ts'
import { findDemoClass, createDemoClass } from './demo-class.ts'
import { canSee, checkRole, loadAssignmentResource } from './policy.ts'

export const copyEduResourceToDemoClass = operation({
  id: 'copyEduResourceToDemoClass',
  tag: 'EduResources',
  summary: 'Try out a resource in a demo class',
  description:
    'The demo class belongs to the caller and has a test student. The server creates it on the ' +
    'first request, and again if the caller has archived or left it. The assignment of the resource ' +
    'becomes a draft in the class. The demo class counts as a class of the organization.',
  scopes: ['edu.resources', 'edu.assignments'],
  checkRole,
  params: Type.Object({ resource: Type.String() }),
  responses: { 200: ClassAssignment },
  errors: [402],
  async handle({ ctx, actor, params }) {
    const member = checkStaff(actor)
    // Hashing the password of the test student is slow, so it happens outside the transaction.
    await loadAssignmentResource(ctx.db.read, actor, params.resource, canSee)
    const student = (await findDemoClass(ctx.db.read, member)) ? undefined : await newTestStudent(ctx, member)
    const copy = (account: typeof student) =>
      ctx.transaction(async (tx) => {
        const { assignment: source } = await loadAssignmentResource(tx, actor, params.resource, canSee)
        const schoolClass =
          (await findDemoClass(tx, member)) ?? (account && (await createDemoClass(ctx, tx, member, account)))
        return schoolClass && copyToClass(ctx, tx, actor, { source, schoolClass })
      })
    // The class may have been archived since the check.
    const copied = (await copy(student)) ?? (await copy(await newTestStudent(ctx, member)))
    if (!copied) throw new Error('The demo class was not created')
    // A draft has no submissions.
    return composeClassAssignment(ctx.db.read, actor.id, copied, [])
  },
})
