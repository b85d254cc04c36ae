import type { Departure } from '../../../departure.ts'
import { deleteTracksOf } from './store.ts'
import { accountExport } from './account-export.ts'

export const tracksDeparture: Departure = {
  feature: 'library/tracks',
  exports: accountExport,
  erase: { finish: (_ctx, tx, { user }) => deleteTracksOf(tx, user) },
}
