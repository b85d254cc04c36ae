import type { Departure } from '../../../departure.ts'
import { deleteLikesOf } from './likes.store.ts'
import { makeScoresPrivate, deleteScoreBatchOf } from './store.ts'
import { accountExport } from './account-export.ts'

export const scoresDeparture: Departure = {
  feature: 'library/scores',
  exports: accountExport,
  onMemberLeft: { finish: (_ctx, tx, { user }) => makeScoresPrivate(tx, user) },
  async eraseInBatches(ctx, user, transaction) {
    let hasMore = true
    while (hasMore) {
      hasMore = false
      await transaction(async (tx) => {
        hasMore = (await deleteScoreBatchOf(ctx, tx, user)) > 0
      })
    }
  },
  erase: { finish: (_ctx, tx, { user }) => deleteLikesOf(tx, user) },
}
