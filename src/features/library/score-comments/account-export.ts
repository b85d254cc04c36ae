import type { AccountExport } from '../../../departure.ts'

export const accountExport: AccountExport = {
  'comments.json': {
    description: 'Your comments on scores.',
    query: (queries, user, after) =>
      queries
        .selectFrom('score_comments')
        .where('user_id', '=', user)
        .where('id', '>', after)
        .select([
          'id',
          'id as key',
          'score_id',
          'revision_id',
          'reply_to',
          'comment',
          'raw_comment',
          'context',
        ])
        .select(['hidden', 'created_at', 'modified_at']),
  },
}
