import Type from 'typebox'
import { listSignIns } from '../../../auth/sessions/sign-ins.ts'
import { MemberSignIns } from '../../../contract/account.ts'
import { operation } from '../../../operation.ts'
import { loadManaged } from './policy.ts'

export const listMemberSignIns = operation({
  id: 'listMemberSignIns',
  accepts: 'session',
  tag: 'Organization',
  summary: 'List the sessions and tokens of a member',
  params: Type.Object({ user: Type.String() }),
  responses: { 200: MemberSignIns },
  async handle({ ctx, actor, params }) {
    const { id } = await loadManaged(ctx.db.read, actor, params.user)
    return listSignIns(ctx.db.read, id, ctx.clock.now())
  },
})
