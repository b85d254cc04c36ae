import Type from 'typebox'
import { checkIsSignedIn } from '../../../auth/sessions/session-user.ts'
import { endSignIn } from '../../../auth/sessions/sign-ins.ts'
import { fail } from '../../../errors.ts'
import { Empty, operation } from '../../../operation.ts'
import { loadManaged } from './policy.ts'

export const endMemberSignIn = operation({
  id: 'endMemberSignIn',
  accepts: 'session',
  tag: 'Organization',
  summary: 'End one session or token of a member, or the access of an app',
  params: Type.Object({ user: Type.String(), id: Type.String() }),
  responses: { 204: Empty },
  async handle({ ctx, actor, params: { user: idOrMe, id } }) {
    await ctx.transaction(async (tx) => {
      await checkIsSignedIn(ctx, tx, actor.access.hash)
      const { id: user } = await loadManaged(tx, actor, idOrMe)
      if (!(await endSignIn(ctx, tx, { user, id, by: actor.id }))) fail('SIGN_IN_NOT_FOUND')
    })
  },
})
