import { ClassCreation, ClassDetails } from '../../../contract/classes.ts'
import { operation } from '../../../operation.ts'
import { checkStaff } from '../../people/organizations/policy.ts'
import { composeClass } from './compose.ts'
import { insertNewClass } from './new-class.ts'
import { checkClassLimit, relationOf } from './policy.ts'

export const createClass = operation({
  id: 'createClass',
  tag: 'Class',
  summary: 'Create a class',
  description:
    'The server creates a group of teachers, which the caller joins, and a group of students. The ' +
    'number of classes that are not archived can be limited per organization.',
  scopes: ['edu.classes'],
  checkRole: checkStaff,
  body: ClassCreation,
  responses: { 200: ClassDetails },
  errors: [402],
  async handle({ ctx, actor, body }) {
    const owner = checkStaff(actor)
    const schoolClass = await ctx.transaction(async (tx) => {
      await checkClassLimit(tx, owner.organization)
      return insertNewClass(ctx, tx, owner, body)
    })
    return composeClass(ctx, ctx.db.read, actor.id, { schoolClass, relation: relationOf(owner, schoolClass) })
  },
})
