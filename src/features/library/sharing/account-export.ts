import type { AccountExport } from '../../../departure.ts'
import type { Queries } from '../../../platform/db/database.ts'

export const accountExport: AccountExport = {
  'shared-with-you.json': {
    description: 'The scores and collections that other users have shared with you.',
    query: (queries, user, after) =>
      queries
        .selectFrom('grants')
        .leftJoin('scores', 'scores.id', 'grants.score_id')
        .leftJoin('collections', 'collections.id', 'grants.collection_id')
        .where('grants.user_id', '=', user)
        .where('grants.id', '>', after)
        .select(['grants.id', 'grants.id as key', 'grants.score_id', 'grants.collection_id', 'grants.level'])
        .select([
          'scores.title as score_title',
          'collections.title as collection_title',
          'grants.created_at',
        ]),
  },
}

/** Lists with whom a score or a collection is shared, with the names of users and groups. */
export const listSharing = (queries: Queries, on: 'score_id' | 'collection_id', id: string) =>
  queries
    .selectFrom('grants')
    .leftJoin('users', 'users.id', 'grants.user_id')
    .leftJoin('groups', 'groups.id', 'grants.group_id')
    .where(`grants.${on}`, '=', id)
    .where('users.deletion_at', 'is', null)
    .select([
      'grants.user_id',
      'users.username',
      'grants.group_id',
      'groups.name as group_name',
      'grants.email',
    ])
    .select(['grants.level', 'grants.assignment_id', 'grants.created_at'])
    .orderBy('grants.id')
    .execute()
