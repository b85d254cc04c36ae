import { findPasswordOrigin } from '../../people/audit/store.ts'
import Type from 'typebox'
import type { Transaction } from '../../../platform/db/database.ts'
import type { Placement } from '../../../platform/db/tables.ts'
import { ClassDetails } from '../../../contract/classes.ts'
import { fail } from '../../../errors.ts'
import { operation } from '../../../operation.ts'
import { checkMember, loadMember } from '../../people/organizations/policy.ts'
import { isFromTeacher } from '../../people/users/store.ts'
import { composeClass } from './compose.ts'
import { joinClass } from './members.ts'
import { canRead, checkOpen, classRoleOf, loadClass, visibleTo } from './policy.ts'
import { findClassByCode } from './store.ts'

export const enrollClass = operation({
  id: 'enrollClass',
  tag: 'Class',
  summary: 'Join a class by its enrolment code',
  description:
    'The class must belong to the caller’s organization. A student becomes a student of the class. ' +
    'A member with any other role becomes a teacher.',
  scopes: ['edu.classes'],
  params: Type.Object({ enrollmentCode: Type.String() }),
  responses: { 200: ClassDetails },
  async handle({ ctx, actor, params }) {
    const member = checkMember(actor)
    const { id: viewer, organization } = member
    const joined = await ctx.transaction(async (tx) => {
      const user = await loadMember(tx, member, viewer)
      const schoolClass = await findClassByCode(tx, { code: params.enrollmentCode, viewer, organization })
      // A user who could not see the class after joining must not find its code either.
      const known =
        schoolClass && visibleTo(member, { ...schoolClass, viewer_role: classRoleOf(user.organization_role) })
      if (!known) fail('CLASS_NOT_FOUND')
      checkOpen(known.schoolClass)
      const placement = await placementByCode(tx, viewer)
      await joinClass(ctx, tx, known.schoolClass, user, { by: viewer, placement })
      return loadClass(tx, member, known.schoolClass.id, canRead)
    })
    return composeClass(ctx, ctx.db.read, actor.id, joined)
  },
})

/** A teacher who has set the password of a student may be the one who enters the code. */
const placementByCode = async (tx: Transaction, user: string): Promise<Placement> =>
  isFromTeacher(await findPasswordOrigin(tx, user)) ? 'teacher' : 'code'
