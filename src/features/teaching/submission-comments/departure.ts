import type { Departure } from '../../../departure.ts'
import { accountExport } from './account-export.ts'

export const submissionCommentsDeparture: Departure = {
  feature: 'teaching/submission-comments',
  exports: accountExport,
}
