import Type from 'typebox'
import { Empty, operation } from '../../../operation.ts'
import { checkStaff } from '../../people/organizations/policy.ts'
import { canManage, loadClass } from '../classes/policy.ts'
import { closeClassSignIn } from './pins.ts'

export const removeClassSignIn = operation({
  id: 'removeClassSignIn',
  accepts: 'session',
  tag: 'Class',
  summary: 'End the sign-in page of a class, its PINs, and the sessions that they opened',
  checkRole: checkStaff,
  params: Type.Object({ class: Type.String() }),
  responses: { 204: Empty },
  async handle({ ctx, actor, params }) {
    await ctx.transaction(async (tx) => {
      const { schoolClass } = await loadClass(tx, actor, params.class, canManage)
      await closeClassSignIn(ctx, tx, { class: schoolClass.id, by: actor.id })
    })
  },
})
