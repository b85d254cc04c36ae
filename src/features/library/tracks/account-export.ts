import type { AccountExport } from '../../../departure.ts'

export const accountExport: AccountExport = {
  'tracks.json': {
    description:
      'The recordings that you have added to scores. `url` is the address of one that is stored elsewhere.',
    query: (queries, user, after) =>
      queries
        .selectFrom('score_tracks')
        .where('creator_id', '=', user)
        .where('id', '>', after)
        .select([
          'id',
          'id as key',
          'score_id',
          'title',
          'type',
          'url',
          'media_id',
          'purpose',
          'state',
          'points',
        ])
        .select(['created_at', 'modified_at']),
  },
}
