import { Profile } from '../../../contract/account.ts'
import { operation } from '../../../operation.ts'
import { loadOwnAccount } from './own-account.ts'
import { presentEditableProfile } from './present.ts'

export const getProfile = operation({
  id: 'getProfile',
  accepts: 'session',
  tag: 'Account',
  summary: 'Get what the user can change in the own profile',
  responses: { 200: Profile },
  async handle({ ctx, actor }) {
    return presentEditableProfile(await loadOwnAccount(ctx.db.read, actor), ctx.config.publicUrl)
  },
})
