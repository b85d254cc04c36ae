import { ClassCreation, ClassDetails } from '../../contract/classes.ts'
import { operation } from '../../operation.ts'
import { checkStaff } from '../organizations/policy.ts'
import { composeClass } from './compose.ts'
import { insertNewClass } from './new-class.ts'
import { checkRoomForClass, standingOf } from './policy.ts'

export const createClass = operation({
  id: 'createClass',
  tag: 'Class',
  summary: 'Create a class',
  description:
    'With a group of its teachers, whom you join, and one of its students. An organization may have a limited number of ' +
    'classes that are not archived.',
  scopes: ['edu.classes'],
  checkRole: checkStaff,
  body: ClassCreation,
  responses: { 200: ClassDetails },
  errors: [402],
  async handle({ ctx, actor, body }) {
    const owner = checkStaff(actor)
    const klass = await ctx.transaction(async (tx) => {
      await checkRoomForClass(tx, owner.organization)
      return insertNewClass(ctx, tx, owner, body)
    })
    return composeClass(ctx, ctx.db.read, actor.id, { klass, standing: standingOf(owner, klass) })
  },
})
