import type { AccountExport } from '../../departure.ts'

export const accountExport: AccountExport = {
  'passkeys.json': {
    description:
      'Your passkeys: their names, when you added and last used them, and whether they have copies.',
    query: (queries, user, after) =>
      queries
        .selectFrom('passkeys')
        .where('user_id', '=', user)
        .where('id', '>', after)
        .select(['id as key', 'name', 'is_synced', 'created_at', 'last_used_at']),
  },
}
