import Type from 'typebox'
import { UserDetails } from '../../../contract/users.ts'
import { operation } from '../../../operation.ts'
import { leaveClass } from '../../people/departures/classes.ts'
import { removeMember } from '../../people/departures/members.ts'
import { checkMember } from '../../people/organizations/policy.ts'
import { composeTestStudent } from './compose.ts'
import { canManage, loadOpenClass } from './policy.ts'
import { findTestStudent } from './store.ts'
import { insertTestStudent, newTestStudent } from './test-student.ts'

export const createTestStudentAccount = operation({
  id: 'createTestStudentAccount',
  tag: 'Class',
  summary: 'Get the test student of a class',
  description:
    'The test student is an account to try the class out with. It is created on the first request. ' +
    'With `reset`, the server deletes it and creates a new one. The account does not count against ' +
    'the seats of the organization.',
  scopes: ['edu.admin', 'edu.classes'],
  params: Type.Object({ class: Type.String() }),
  query: Type.Object({ reset: Type.Optional(Type.Boolean()) }),
  responses: { 200: UserDetails },
  async handle({ ctx, actor, params, query }) {
    const { schoolClass } = await loadOpenClass(ctx.db.read, actor, params.class, canManage)
    const known = query.reset ? undefined : await findTestStudent(ctx.db.read, schoolClass)
    if (known) return composeTestStudent(ctx, ctx.db.read, known)

    const student = await newTestStudent(ctx, checkMember(actor))
    return ctx.transaction(async (tx) => {
      const { schoolClass } = await loadOpenClass(tx, actor, params.class, canManage)
      const other = await findTestStudent(tx, schoolClass)
      if (other && !query.reset) return composeTestStudent(ctx, tx, other)
      if (other) {
        const { organization_id: organization } = schoolClass
        await leaveClass(ctx, tx, { user: other, by: actor.id, schoolClass })
        const removal = { user: other, deletionAt: ctx.clock.now() }
        await removeMember(ctx, tx, { organization, by: actor.id }, removal)
      }
      await insertTestStudent(ctx, tx, actor, schoolClass, student)
      return composeTestStudent(ctx, tx, student.id)
    })
  },
})
