import type { AccountExport, ExportedList } from '../../../departure.ts'
import type { Queries } from '../../../platform/db/database.ts'
import { listSharing } from '../sharing/account-export.ts'

const selectCollections: ExportedList['query'] = (queries, user, after) =>
  queries
    .selectFrom('collections')
    .where('user_id', '=', user)
    .where('id', '>', after)
    .select([
      'id',
      'id as key',
      'type',
      'app',
      'title',
      'is_pinned',
      'created_at',
      'modified_at',
      'deletion_at',
    ])

const listScoresIn = (queries: Queries, collection: string) =>
  queries
    .selectFrom('collection_scores')
    .innerJoin('scores', 'scores.id', 'collection_scores.score_id')
    .where('collection_id', '=', collection)
    .select(['score_id', 'scores.title'])
    .orderBy('score_id')
    .execute()

export const accountExport: AccountExport = {
  'collections.json': {
    description: 'Your collections, the scores in them, and with whom you have shared them.',
    query: selectCollections,
    details: async (queries, id) => ({
      scores: await listScoresIn(queries, id),
      sharedWith: await listSharing(queries, 'collection_id', id),
    }),
  },
}
