import type { Transaction } from '../../db/database.ts'
import { hashToken, newToken } from '../../lib/tokens.ts'
import type { Context } from '../../operation.ts'
import { deleteOldSessions, insertSession } from './store.ts'

/** How long one stays signed in. */
export const sessionMilliseconds = 14 * 24 * 60 * 60 * 1000

/** In how many places one is signed in at once. */
const mostSessions = 100

/**
 * Signs a user in; the token of the session, which is seen this once. Where there are too many sessions, the oldest end.
 * @param createdBy who has made the link by which this is done; nobody where it is done by a password
 */
export async function beginSession(
  { clock }: Context,
  tx: Transaction,
  user: string,
  createdBy: string | null = null,
): Promise<string> {
  const session = newToken('session')
  const now = clock.now()
  await deleteOldSessions(tx, { user, but: mostSessions - 1 })
  await insertSession(tx, {
    hash: hashToken(session),
    user_id: user,
    created_at: now,
    expires_at: now + sessionMilliseconds,
    created_by: createdBy,
  })
  return session
}
