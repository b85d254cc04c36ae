import Type from 'typebox'
import { fail } from '../../errors.ts'
import { Empty, operation } from '../../operation.ts'
import { leaveAssignments } from '../assignments/leaving.ts'
import { audit } from '../audit/audit.ts'
import { checkMember, loadMember } from '../organizations/policy.ts'
import { deleteWorkOf } from '../submissions/removal.ts'
import { passClassOn } from './places.ts'
import { canManage, canRead, checkOpen, loadClass } from './policy.ts'
import { deleteClassMember, findClass, hasOtherTeacher } from './store.ts'
import { removeTestStudent } from './test-student.ts'

export const deleteClassUser = operation({
  id: 'deleteClassUser',
  tag: 'Class',
  summary: 'Take somebody out of a class, or leave it',
  description:
    'Out of its groups as well; what a student has worked on in the class is deleted. By a teacher of the class, an ' +
    'administrator, or who leaves. The last teacher stays; the account of a test student is deleted.',
  scopes: ['edu.classes'],
  params: Type.Object({
    class: Type.String(),
    user: Type.String({ description: 'The id of the user, or `me`.' }),
  }),
  responses: { 204: Empty },
  async handle({ ctx, actor, params }) {
    const isLeaving = params.user === 'me' || params.user === actor.id
    const removesAccount = await ctx.transaction(async (tx) => {
      const { klass } = await loadClass(tx, actor, params.class, isLeaving ? canRead : canManage)
      const user = await loadMember(tx, checkMember(actor), params.user)
      const role = (await findClass(tx, { id: klass.id, viewer: user.id }))?.viewer_role
      if (!role) fail('USER_NOT_FOUND')
      checkOpen(klass)
      if (role === 'teacher' && !(await hasOtherTeacher(tx, klass, user.id))) fail('LAST_TEACHER')
      if (klass.owner_id === user.id) await passClassOn(ctx, tx, klass.id, { user: user.id, by: actor.id })
      await deleteWorkOf(ctx, tx, user.id, klass.id)
      await leaveAssignments(tx, user.id, klass.id)
      const isTestStudent = user.is_test_student === 1
      if (isTestStudent) await removeTestStudent(ctx, tx, actor, klass, user.id)
      else await deleteClassMember(tx, klass.id, user.id)
      const event = { organization: klass.organization_id, actor: actor.id, subject: user.id }
      await audit(tx, ctx, { ...event, action: 'class.member-removed', details: { class: klass.id } })
      return isTestStudent
    })
    if (removesAccount) ctx.actors.forget()
  },
})
