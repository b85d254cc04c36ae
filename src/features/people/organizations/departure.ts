import type { Departure } from '../../../departure.ts'
import { deleteInvitationsOf } from './invitations.store.ts'
import { accountExport } from './account-export.ts'

export const organizationsDeparture: Departure = {
  feature: 'people/organizations',
  exports: accountExport,
  erase: { finish: (_ctx, tx, { user, address }) => deleteInvitationsOf(tx, user, address) },
}
