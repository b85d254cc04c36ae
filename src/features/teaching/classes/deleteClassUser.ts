import Type from 'typebox'
import { fail } from '../../../errors.ts'
import { Empty, operation } from '../../../operation.ts'
import { audit } from '../../people/audit/audit.ts'
import { leaveClass } from '../../people/departures/classes.ts'
import { removeMember } from '../../people/departures/members.ts'
import { checkMember, loadMember } from '../../people/organizations/policy.ts'
import { canManage, canRead, checkOpen, loadClass } from './policy.ts'
import { findClass, hasOtherTeacher } from './store.ts'

export const deleteClassUser = operation({
  id: 'deleteClassUser',
  tag: 'Class',
  summary: 'Remove a member from a class, or leave it',
  description:
    'The user also leaves the groups of the class, and the work of a student in the class is ' +
    'deleted. Available to teachers of the class, administrators, and the user who leaves. The last ' +
    'teacher cannot leave. The account of a test student is deleted.',
  scopes: ['edu.classes'],
  params: Type.Object({
    class: Type.String(),
    user: Type.String({ description: 'The id of the user, or `me`.' }),
  }),
  responses: { 204: Empty },
  async handle({ ctx, actor, params }) {
    const isLeaving = params.user === 'me' || params.user === actor.id
    await ctx.transaction(async (tx) => {
      const { schoolClass } = await loadClass(tx, actor, params.class, isLeaving ? canRead : canManage)
      const user = await loadMember(tx, checkMember(actor), params.user)
      const role = (await findClass(tx, { id: schoolClass.id, viewer: user.id }))?.viewer_role
      if (!role) fail('USER_NOT_FOUND')
      checkOpen(schoolClass)
      if (role === 'teacher' && !(await hasOtherTeacher(tx, schoolClass, user.id))) fail('LAST_TEACHER')
      const { organization_id: organization } = schoolClass
      await leaveClass(ctx, tx, { user: user.id, by: actor.id, schoolClass })
      const isTestStudent = user.is_test_student === 1
      if (isTestStudent) {
        const removal = { user: user.id, deletionAt: ctx.clock.now() }
        await removeMember(ctx, tx, { organization, by: actor.id }, removal)
      }
      const event = { organization, actor: actor.id, subject: user.id }
      await audit(tx, ctx, { ...event, action: 'class.member-removed', details: { class: schoolClass.id } })
    })
  },
})
