import type { Departure } from '../../../departure.ts'
import { accountExport } from './account-export.ts'

/** The events of an account are deleted with its row. */
export const eventsDeparture: Departure = { feature: 'people/events', exports: accountExport }
