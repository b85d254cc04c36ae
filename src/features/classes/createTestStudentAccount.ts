import Type from 'typebox'
import { UserDetails } from '../../contract/users.ts'
import { operation } from '../../operation.ts'
import { checkMember } from '../organizations/policy.ts'
import { composeTestStudent } from './compose.ts'
import { deleteWorkOf } from '../submissions/removal.ts'
import { canManage, loadOpenClass } from './policy.ts'
import { findTestStudent } from './store.ts'
import { insertTestStudent, newTestStudent, removeTestStudent } from './test-student.ts'

export const createTestStudentAccount = operation({
  id: 'createTestStudentAccount',
  tag: 'Class',
  summary: 'Get the test student of a class',
  description:
    'An account to try the class out with, made when it is first asked for. With `reset` a new one takes its place, and ' +
    'the account of before is deleted. It takes no seat of the organization.',
  scopes: ['edu.admin', 'edu.classes'],
  params: Type.Object({ class: Type.String() }),
  query: Type.Object({ reset: Type.Optional(Type.Boolean()) }),
  responses: { 200: UserDetails },
  async handle({ ctx, actor, params, query }) {
    const { klass } = await loadOpenClass(ctx.db.read, actor, params.class, canManage)
    const known = query.reset ? undefined : await findTestStudent(ctx.db.read, klass)
    if (known) return composeTestStudent(ctx, ctx.db.read, known)

    const student = await newTestStudent(ctx, checkMember(actor))
    const details = await ctx.transaction(async (tx) => {
      const { klass } = await loadOpenClass(tx, actor, params.class, canManage)
      const other = await findTestStudent(tx, klass)
      if (other && !query.reset) return composeTestStudent(ctx, tx, other)
      if (other) {
        await deleteWorkOf(ctx, tx, other, klass.id)
        await removeTestStudent(ctx, tx, actor, klass, other)
      }
      await insertTestStudent(ctx, tx, actor, klass, student)
      return composeTestStudent(ctx, tx, student.id)
    })
    if (query.reset) ctx.actors.forget()
    return details
  },
})
