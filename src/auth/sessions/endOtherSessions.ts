import { auditOwn } from '../../features/people/audit/audit.ts'
import { Empty, operation } from '../../operation.ts'
import { deleteCachedActors } from '../tokens/cached-actors.ts'
import { deletePendingSignInsOf } from './pending-sign-ins.store.ts'
import { checkIsSignedIn } from './session-user.ts'
import { deleteOtherSessions } from './store.ts'

export const endOtherSessions = operation({
  id: 'endOtherSessions',
  accepts: 'session',
  tag: 'Account',
  summary: 'Sign out in all other browsers',
  responses: { 204: Empty },
  async handle({ ctx, actor: { id, access } }) {
    await ctx.transaction(async (tx) => {
      await checkIsSignedIn(ctx, tx, access.hash)
      await deletePendingSignInsOf(tx, id)
      const ended = await deleteOtherSessions(tx, { user: id, except: access.hash })
      if (ended === 0) return
      deleteCachedActors(ctx, tx, [id])
      await auditOwn(tx, ctx, id, { action: 'user.sessions-ended', details: { sessions: ended } })
    })
  },
})
