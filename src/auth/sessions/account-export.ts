import type { AccountExport } from '../../departure.ts'
import type { Queries } from '../../platform/db/database.ts'
import { readPortion } from '../../platform/db/portions.ts'

export const accountExport: AccountExport = {
  'address-to-be-shown.json': {
    description: 'The new address that you have asked for, until you open the link that was sent to it.',
    read: (queries, user, after) =>
      readPortion(
        queries
          .selectFrom('email_verifications')
          .where('user_id', '=', user)
          .where('user_id', '>', after)
          .select(['user_id as key', 'email', 'expires_at']),
      ),
  },
  'sessions.json': {
    description: 'When you have signed in with a browser. Sessions that have ended are not listed.',
    read: async (queries, user, after) => (after === '' ? listSessions(queries, user) : []),
  },
}

/** The keys of sessions are hashes of secrets, so that the list cannot be read in portions. It is short: sessions end after two weeks. */
async function listSessions(queries: Queries, user: string) {
  const rows = await queries
    .selectFrom('sessions')
    .where('user_id', '=', user)
    .select(['created_at', 'expires_at'])
    .orderBy('created_at')
    .execute()
  return rows.map((row) => ({ ...row, key: '~' }))
}
