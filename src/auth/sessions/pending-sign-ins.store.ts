import type { Queries, Transaction } from '../../platform/db/database.ts'
import { hashToken, newToken } from '../../lib/tokens.ts'
import type { Context } from '../../context.ts'
import { minute } from '../../lib/durations.ts'

/** The lifetime of a pending sign-in: the time to enter the second factor after the password. */
export const pendingSignInLifetimeMs = 5 * minute

/**
 * Stores that a user has entered the password but not the second factor. Returns the token for the browser.
 */
export async function createPendingSignIn(
  { clock }: Context,
  tx: Transaction,
  user: string,
): Promise<string> {
  const token = newToken('pendingSignIn')
  const expires_at = clock.now() + pendingSignInLifetimeMs
  await tx
    .insertInto('pending_sign_ins')
    .values({ hash: hashToken(token), user_id: user, expires_at })
    .execute()
  return token
}

/** Finds the user of a pending sign-in. Removed accounts and expired sign-ins are excluded. */
export async function findPendingSignIn(
  queries: Queries,
  pending: { hash: string; now: number },
): Promise<{ user: string; organization: string | null } | undefined> {
  return queries
    .selectFrom('pending_sign_ins')
    .innerJoin('users', 'users.id', 'pending_sign_ins.user_id')
    .where('pending_sign_ins.hash', '=', pending.hash)
    .where('pending_sign_ins.expires_at', '>', pending.now)
    .where('users.deletion_at', 'is', null)
    .select(['users.id as user', 'users.organization_id as organization'])
    .executeTakeFirst()
}

export async function deletePendingSignIn(tx: Transaction, hash: string): Promise<void> {
  await tx.deleteFrom('pending_sign_ins').where('hash', '=', hash).execute()
}

/** Deletes the pending sign-ins of a user, after a change of the password or the second factor. */
export async function deletePendingSignInsOf(tx: Transaction, user: string): Promise<void> {
  await tx.deleteFrom('pending_sign_ins').where('user_id', '=', user).execute()
}
