import { Profile, ProfileChange } from '../../../contract/account.ts'
import { fail } from '../../../errors.ts'
import { operation } from '../../../operation.ts'
import { loadOwnAccount } from './own-account.ts'
import { presentEditableProfile } from './present.ts'
import { type AccountChange, updateUser } from './store.ts'

export const changeProfile = operation({
  id: 'changeProfile',
  accepts: 'session',
  tag: 'Account',
  summary: 'Change the own profile',
  description: 'Changes the fields in the body. An empty `bio` removes it.',
  body: ProfileChange,
  responses: { 200: Profile },
  async handle({ ctx, actor, body: { bio, privateProfile } }) {
    const changed = await ctx.transaction(async (tx) => {
      const user = await loadOwnAccount(tx, actor)
      if (privateProfile !== undefined && user.organization_id !== null)
        fail('INVALID_PARAMETER', {
          param: 'privateProfile',
          message: 'Only an individual account has `privateProfile`.',
        })
      const change: AccountChange = {
        ...(bio !== undefined && { bio: bio.trim() || null }),
        ...(privateProfile !== undefined && { is_private: privateProfile ? 1 : 0 }),
      }
      if (Object.keys(change).length > 0) await updateUser(tx, user.id, change)
      return { ...user, ...change }
    })
    return presentEditableProfile(changed, ctx.config.publicUrl)
  },
})
