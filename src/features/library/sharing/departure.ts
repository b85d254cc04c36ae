import type { Departure } from '../../../departure.ts'
import { deleteGrantsOfUser, endSharing } from './grants.store.ts'
import { deleteInvitationsTo } from './invitations.store.ts'
import { accountExport } from './account-export.ts'

export const sharingDeparture: Departure = {
  feature: 'library/sharing',
  exports: accountExport,
  onMemberLeft: { finish: (_ctx, tx, { user, organization }) => endSharing(tx, organization, user) },
  erase: {
    async finish(_ctx, tx, { user, address }) {
      await deleteGrantsOfUser(tx, user)
      if (address) await deleteInvitationsTo(tx, address)
    },
  },
}
