import type { Departure } from '../../departure.ts'
import { accountExport } from './account-export.ts'

export const tokensDeparture: Departure = {
  feature: 'auth/tokens',
  exports: accountExport,
}
