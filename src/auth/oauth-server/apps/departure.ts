import type { Departure } from '../../../departure.ts'
import { deleteAppsNobodyUses } from './store.ts'
import { accountExport } from './account-export.ts'

export const appsDeparture: Departure = {
  feature: 'auth/oauth-server',
  exports: accountExport,
  erase: { finish: (ctx, tx, { user }) => deleteAppsNobodyUses(tx, user, ctx.clock.now()) },
}
