import type { AccountExport } from '../../../departure.ts'
import { readPortion } from '../../../platform/db/portions.ts'

export const accountExport: AccountExport = {
  'apps.json': {
    description: 'The apps that you have registered.',
    read: (queries, user, after) =>
      readPortion(
        queries
          .selectFrom('apps')
          .where('owner_id', '=', user)
          .where('id', '>', after)
          .select(['id', 'id as key', 'name', 'created_at']),
      ),
  },
}
