import type { AccountExport } from '../../../departure.ts'

export const accountExport: AccountExport = {
  'tasks.json': {
    description: 'Your recent imports and exports.',
    query: (queries, user, after) =>
      queries
        .selectFrom('tasks')
        .where('user_id', '=', user)
        .where('id', '>', after)
        .select(['id', 'id as key', 'type', 'format', 'score_id', 'result_name', 'created_at']),
  },
}
