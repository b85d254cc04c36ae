import type { AccountExport } from '../../../departure.ts'

export const accountExport: AccountExport = {
  'comments-on-work.json': {
    description: 'Your comments on the work that students have turned in.',
    query: (queries, user, after) =>
      queries
        .selectFrom('submission_comments')
        .where('user_id', '=', user)
        .where('id', '>', after)
        .select(['id', 'id as key', 'submission_id', 'comment', 'created_at', 'modified_at']),
  },
}
