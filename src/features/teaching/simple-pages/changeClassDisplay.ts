import Type from 'typebox'
import { ClassDisplay } from '../../../contract/account.ts'
import { Empty, operation } from '../../../operation.ts'
import { checkStaff } from '../../people/organizations/policy.ts'
import { canManage, loadOpenClass } from '../classes/policy.ts'
import { saveSimpleClass } from './store.ts'

export const changeClassDisplay = operation({
  id: 'changeClassDisplay',
  accepts: 'session',
  tag: 'Class',
  summary: 'Change whether the students of a class get simple pages',
  description: 'A student can choose otherwise.',
  checkRole: checkStaff,
  params: Type.Object({ class: Type.String() }),
  body: ClassDisplay,
  responses: { 204: Empty },
  async handle({ ctx, actor, params, body }) {
    await ctx.transaction(async (tx) => {
      const { schoolClass } = await loadOpenClass(tx, actor, params.class, canManage)
      await saveSimpleClass(tx, schoolClass.id, { isSimple: body.simplePages, now: ctx.clock.now() })
    })
  },
})
