import type { Departure } from '../../departure.ts'
import { accountExport } from './account-export.ts'

export const passkeysDeparture: Departure = {
  feature: 'auth/passkeys',
  exports: accountExport,
}
