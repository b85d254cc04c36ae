import type { Departure } from '../../../departure.ts'
import { deleteMentionsOf } from './mentions.ts'
import { deleteCommentsOf } from './store.ts'
import { accountExport } from './account-export.ts'

export const scoreCommentsDeparture: Departure = {
  feature: 'library/score-comments',
  exports: accountExport,
  eraseInBatches: deleteMentionsOf,
  erase: { finish: (_ctx, tx, { user }) => deleteCommentsOf(tx, user) },
}
