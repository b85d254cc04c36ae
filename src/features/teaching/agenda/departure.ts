import type { Departure } from '../../../departure.ts'
import { accountExport } from './account-export.ts'
import { deleteFeed } from './feeds.store.ts'

export const agendaDeparture: Departure = {
  feature: 'teaching/agenda',
  exports: accountExport,
  // An individual account has no classes, and no page on which to switch the calendar off.
  onMemberLeft: { finish: (_ctx, tx, { user }) => deleteFeed(tx, user) },
}
