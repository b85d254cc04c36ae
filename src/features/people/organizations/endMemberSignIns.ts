import Type from 'typebox'
import { checkIsSignedIn } from '../../../auth/sessions/session-user.ts'
import { endSignIns } from '../../../auth/sessions/sign-ins.ts'
import { Empty, operation } from '../../../operation.ts'
import { loadManaged } from './policy.ts'

export const endMemberSignIns = operation({
  id: 'endMemberSignIns',
  accepts: 'session',
  tag: 'Organization',
  summary: 'End all sessions and tokens of a member',
  description: 'The password stays. The apps that the member has authorized lose their access.',
  params: Type.Object({ user: Type.String() }),
  responses: { 204: Empty },
  async handle({ ctx, actor, params }) {
    await ctx.transaction(async (tx) => {
      await checkIsSignedIn(ctx, tx, actor.access.hash)
      const { id: user } = await loadManaged(tx, actor, params.user)
      await endSignIns(ctx, tx, { user, by: actor.id })
    })
  },
})
