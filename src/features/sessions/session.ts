import type { Transaction } from '../../db/database.ts'
import { hashToken, newToken } from '../../lib/tokens.ts'
import type { Context } from '../../operation.ts'
import { insertSession } from './store.ts'

/** How long one stays signed in. */
export const sessionMilliseconds = 14 * 24 * 60 * 60 * 1000

/**
 * Signs a user in; the token of the session, which is seen this once.
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
  await insertSession(tx, {
    hash: hashToken(session),
    user_id: user,
    created_at: now,
    expires_at: now + sessionMilliseconds,
    created_by: createdBy,
  })
  return session
}
