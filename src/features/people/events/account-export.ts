import type { AccountExport } from '../../../departure.ts'

export const accountExport: AccountExport = {
  'events.json': {
    description: 'What programs can learn of your scores: the events of the last 30 days.',
    query: (queries, user, after) =>
      queries
        .selectFrom('events')
        .where('user_id', '=', user)
        .where('id', '>', after)
        .select(['id', 'id as key', 'type', 'actor_id', 'objects', 'created_at']),
  },
}
