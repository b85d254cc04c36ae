import type { AccountExport } from '../../../departure.ts'

export const accountExport: AccountExport = {
  'display.json': {
    description: 'Whether you have chosen simple pages.',
    query: (queries, user, after) =>
      queries
        .selectFrom('display_settings')
        .where('user_id', '=', user)
        .where('user_id', '>', after)
        .select(['user_id as key', 'simple_pages']),
  },
}
