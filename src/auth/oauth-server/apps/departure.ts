import type { Departure } from '../../../departure.ts'
import { deleteUnusedApps } from './store.ts'
import { accountExport } from './account-export.ts'

export const appsDeparture: Departure = {
  feature: 'auth/oauth-server',
  exports: accountExport,
  erase: { finish: (ctx, tx, { user }) => deleteUnusedApps(tx, user, ctx.clock.now()) },
}
