import type { Departure } from '../../../departure.ts'
import { accountExport } from './account-export.ts'

export const simplePagesDeparture: Departure = {
  feature: 'teaching/simple-pages',
  exports: accountExport,
}
