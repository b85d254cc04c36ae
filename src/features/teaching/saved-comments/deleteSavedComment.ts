import { IdParams } from '../../../contract/account.ts'
import { fail } from '../../../errors.ts'
import { Empty, operation } from '../../../operation.ts'
import { checkStaff } from '../../people/organizations/policy.ts'
import { deleteSaved } from './store.ts'

export const deleteSavedComment = operation({
  id: 'deleteSavedComment',
  accepts: 'session',
  tag: 'Class',
  summary: 'Delete a saved comment',
  checkRole: checkStaff,
  params: IdParams,
  responses: { 204: Empty },
  async handle({ ctx, actor, params: { id } }) {
    await ctx.transaction(async (tx) => {
      if (!(await deleteSaved(tx, { user: actor.id, id }))) fail('COMMENT_NOT_FOUND')
    })
  },
})
