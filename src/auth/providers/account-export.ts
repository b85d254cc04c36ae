import type { AccountExport } from '../../departure.ts'

export const accountExport: AccountExport = {
  'sign-in-elsewhere.json': {
    description: 'Your account at the identity provider of your organization, and since when it is linked.',
    query: (queries, user, after) =>
      queries
        .selectFrom('provider_accounts')
        .where('user_id', '=', user)
        .where('provider', '>', after)
        .select(['provider', 'provider as key', 'subject', 'created_at']),
  },
}
