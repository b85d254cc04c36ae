import type { Departure } from '../../../departure.ts'
import { clearCreator } from './endpoints.store.ts'
import { accountExport } from './account-export.ts'

/** The endpoints of an account are deleted with its row. Those of the organization stay without the user who added them. */
export const webhooksDeparture: Departure = {
  feature: 'people/webhooks',
  exports: accountExport,
  onMemberLeft: { finish: (_ctx, tx, { user }) => clearCreator(tx, user) },
}
