import type { AccountExport } from '../../departure.ts'

export const accountExport: AccountExport = {
  'second-factor.json': {
    description: 'Since when you sign in with a code as well as with the password, if you do.',
    query: (queries, user, after) =>
      queries
        .selectFrom('second_factors')
        .where('user_id', '=', user)
        .where('confirmed_at', 'is not', null)
        .where('user_id', '>', after)
        .select(['user_id as key', 'confirmed_at as created_at']),
  },
}
