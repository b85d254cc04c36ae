import type { Departure } from '../../../departure.ts'
import { deleteMemberships } from './store.ts'
import { accountExport } from './account-export.ts'

export const groupsDeparture: Departure = {
  feature: 'people/groups',
  exports: accountExport,
  onMemberLeft: { finish: (_ctx, tx, { user }) => deleteMemberships(tx, user) },
  erase: { finish: (_ctx, tx, { user }) => deleteMemberships(tx, user) },
}
