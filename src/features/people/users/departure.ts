import { profilePictureKinds } from '../../../contract/profile-pictures.ts'
import type { Departure } from '../../../departure.ts'
import type { Transaction } from '../../../platform/db/database.ts'
import { type Identity, identityOf } from './accounts.ts'
import { nameWithAddress } from './free-names.ts'
import { deletePicture } from './pictures.store.ts'
import { deleteUser, findUser, clearRemovedBy, type UserRow, updateUser } from './store.ts'

export const usersDeparture: Departure = {
  feature: 'people/users',
  onMemberLeft: {
    async withdraw(_ctx, tx, { user: id }) {
      const user = await findUser(tx, { id })
      if (user?.organization_role !== 'user') return
      for (const kind of profilePictureKinds) await deletePicture(tx, id, kind)
    },
    async finish(_ctx, tx, { user: id }) {
      const user = await findUser(tx, { id })
      if (!user) return
      // Every user could see what a student showed to the school.
      const bio = user.organization_role === 'user' ? null : user.bio
      await updateUser(tx, id, {
        ...(await identityOutside(tx, user)),
        bio,
        organization_id: null,
        organization_role: null,
        external_id: null,
        is_test_student: 0,
        email_vouched: 0,
      })
    },
  },
  erase: {
    async finish(_ctx, tx, { user }) {
      await clearRemovedBy(tx, user)
      await deleteUser(tx, user)
    },
  },
}

/**
 * Returns the names and the address that a member keeps outside of the organization. Every user can see an individual
 * account, so a student loses the first and the last name, which the school has set. The account also loses an address that
 * only the school has vouched for: the school could otherwise have a password mailed there. If that address is the username,
 * the account gets another username.
 */
async function identityOutside(tx: Transaction, user: UserRow): Promise<Identity> {
  const { organization_role, firstname, lastname } = user
  const names = organization_role === 'user' ? {} : { firstname, lastname }
  const email = user.email_verified ? user.email : null
  return identityOf({ username: await nameWithAddress(tx, user, email), ...names, email })
}
