import type { AccountExport } from '../../../departure.ts'

export const accountExport: AccountExport = {
  'calendar-feed.json': {
    description: 'When you created the secret address of your calendar, if you have one.',
    query: (queries, user, after) =>
      queries
        .selectFrom('calendar_feeds')
        .where('user_id', '=', user)
        .where('user_id', '>', after)
        .select(['user_id as key', 'created_at']),
  },
}
