import { SignedInUser } from '../../contract/account.ts'
import { findDisplay } from '../../features/teaching/simple-pages/store.ts'
import { loadOwnAccount } from '../../features/people/users/own-account.ts'
import { operation } from '../../operation.ts'

export const getSignedInUser = operation({
  id: 'getSignedInUser',
  accepts: 'session',
  beforeSecondFactor: true,
  acceptsDelegated: true,
  tag: 'Account',
  summary: 'Get the user who is signed in',
  responses: { 200: SignedInUser },
  async handle({ ctx, actor }) {
    const { id, username, email, organization_role } = await loadOwnAccount(ctx.db.read, actor)
    return {
      id,
      username,
      email,
      organizationRole: organization_role,
      isDelegated: actor.access.isDelegated,
      display: await findDisplay(ctx.db.read, id),
    }
  },
})
