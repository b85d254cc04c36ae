import type { AccountExport } from '../../../departure.ts'

export const accountExport: AccountExport = {
  'saved-comments.json': {
    description: 'The comments that you have saved to write them again when you review work.',
    query: (queries, user, after) =>
      queries
        .selectFrom('saved_comments')
        .where('user_id', '=', user)
        .where('id', '>', after)
        .select(['id', 'id as key', 'comment', 'created_at']),
  },
}
