import type { Departure } from '../../../departure.ts'
import { deleteCollectionsOf } from './store.ts'
import { accountExport } from './account-export.ts'

export const collectionsDeparture: Departure = {
  feature: 'library/collections',
  exports: accountExport,
  erase: { finish: (_ctx, tx, { user }) => deleteCollectionsOf(tx, user) },
}
