import type { Queries, Transaction } from '../../db/database.ts'
import { hashToken, newToken } from '../../lib/tokens.ts'
import type { Context } from '../../operation.ts'

/** How long one who has given the password may look for the code. */
export const pendingMilliseconds = 5 * 60 * 1000

/** Notes that somebody has given the password, and not yet the second factor; the token for the browser in which that was. */
export async function beginPendingSignIn({ clock }: Context, tx: Transaction, user: string): Promise<string> {
  const token = newToken('pendingSignIn')
  const expires_at = clock.now() + pendingMilliseconds
  await tx
    .insertInto('pending_sign_ins')
    .values({ hash: hashToken(token), user_id: user, expires_at })
    .execute()
  return token
}

/** Who has given the password, while the second factor is waited for, of accounts that were not removed. */
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

/** With another password, or without a second factor, one begins anew. */
export async function deletePendingSignInsOf(tx: Transaction, user: string): Promise<void> {
  await tx.deleteFrom('pending_sign_ins').where('user_id', '=', user).execute()
}
