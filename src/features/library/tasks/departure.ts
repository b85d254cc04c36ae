import type { Departure } from '../../../departure.ts'
import { accountExport } from './account-export.ts'

export const tasksDeparture: Departure = {
  feature: 'library/tasks',
  exports: accountExport,
}
