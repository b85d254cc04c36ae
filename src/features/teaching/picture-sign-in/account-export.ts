import type { AccountExport } from '../../../departure.ts'

export const accountExport: AccountExport = {
  'class-pins.json': {
    description: 'The classes on whose sign-in page you have a PIN, with your picture there.',
    query: (queries, user, after) =>
      queries
        .selectFrom('class_pins')
        .where('user_id', '=', user)
        .where('class_id', '>', after)
        .select(['class_id as key', 'symbol', 'created_at']),
  },
}
