import type { AccountExport } from '../../../departure.ts'

export const accountExport: AccountExport = {
  'apps.json': {
    description: 'The apps that you have registered.',
    query: (queries, user, after) =>
      queries
        .selectFrom('apps')
        .where('owner_id', '=', user)
        .where('id', '>', after)
        .select(['id', 'id as key', 'name', 'created_at']),
  },
}
