import type { Departure } from '../../departure.ts'
import { accountExport } from './account-export.ts'

export const secondFactorDeparture: Departure = {
  feature: 'auth/second-factor',
  exports: accountExport,
}
