import type { AccountExport } from '../../departure.ts'

export const accountExport: AccountExport = {
  'address-to-be-shown.json': {
    description: 'The new address that you have asked for, until you open the link that was sent to it.',
    query: (queries, user, after) =>
      queries
        .selectFrom('email_verifications')
        .where('user_id', '=', user)
        .where('user_id', '>', after)
        .select(['user_id as key', 'email', 'expires_at']),
  },
  'sessions.json': {
    description: 'When you have signed in with a browser. Sessions that have ended are not listed.',
    query: (queries, user, after) =>
      queries
        .selectFrom('sessions')
        .where('user_id', '=', user)
        .where('hash', '>', after)
        .select(['hash as key', 'created_at', 'expires_at']),
  },
}
