import type { Departure } from '../../../departure.ts'
import { accountExport } from './account-export.ts'
import { deleteFilesOf } from './store.ts'

export const uploadsDeparture: Departure = {
  feature: 'library/uploads',
  exports: accountExport,
  erase: { finish: (_ctx, tx, { user }) => deleteFilesOf(tx, user) },
}
