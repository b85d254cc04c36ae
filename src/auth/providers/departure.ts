import type { Departure } from '../../departure.ts'
import { deleteProviderAccountsOf } from './store.ts'
import { accountExport } from './account-export.ts'

export const providersDeparture: Departure = {
  feature: 'auth/providers',
  exports: accountExport,
  onMemberLeft: {
    async finish(_ctx, tx, { user }) {
      await deleteProviderAccountsOf(tx, user)
    },
  },
}
