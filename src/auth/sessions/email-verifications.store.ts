import type { Queries, Transaction } from '../../platform/db/database.ts'
import type { EmailVerificationsTable } from '../../platform/db/sign-in-tables.ts'
import type { Context } from '../../context.ts'
import { emailKey } from '../../features/people/users/accounts.ts'
import { listUsersByEmail } from '../../features/people/users/store.ts'
import { type AttemptLimit, tryAttempt } from '../throttling/attempt-limits.store.ts'
import { day } from '../../lib/durations.ts'

/** Returns the expiry time of a link that is sent now. */
export const linkExpiry = (now: number): number => now + day

/**
 * The maximum number of verification mails per address and day. The likely owner of the address has a limit
 * separate from all other accounts, so that others cannot use it up.
 */
const maxMails = 5

/**
 * Sends a verification link to an address. Only the last link is valid.
 * @param language the language of the mail
 * @returns undefined if the mail is sent; the time in milliseconds since 1970 until which no mail is sent if
 *   the limit of the address is exhausted
 */
export async function requestEmailVerification(
  ctx: Context,
  tx: Transaction,
  { user, email, language }: { user: string; email: string; language: string },
): Promise<number | undefined> {
  const key = emailKey(email)
  const of = ['email-to', key, ...((await ownerOf(tx, key)) === user ? ['its owner'] : [])]
  const mails: AttemptLimit[] = [{ key: of, max: maxMails, windowMs: day }]
  const refusedUntil = await tryAttempt(ctx, tx, mails)
  if (refusedUntil !== undefined) return refusedUntil
  await deleteEmailVerification(tx, user)
  const row = { user_id: user, email, hash: null, expires_at: linkExpiry(ctx.clock.now()) }
  await tx.insertInto('email_verifications').values(row).execute()
  await ctx.jobs.enqueue(tx, { kind: 'send-email-verification', payload: { user, language } })
  return undefined
}

/**
 * Returns the likely owner of an address: the account that has verified it, otherwise one for which a
 * provider or an administrator vouches, otherwise the oldest account with this address.
 */
async function ownerOf(queries: Queries, key: string): Promise<string | undefined> {
  const users = await listUsersByEmail(queries, key)
  const owner =
    users.find(({ email_verified }) => email_verified === 1) ??
    users.find(({ email_vouched }) => email_vouched === 1) ??
    users[0]
  return owner?.id
}

/** Finds an address whose verification is pending. */
export async function findEmailVerification(
  queries: Queries,
  by: ({ user: string } | { hash: string }) & { now: number },
): Promise<EmailVerificationsTable | undefined> {
  const waiting = queries.selectFrom('email_verifications').selectAll().where('expires_at', '>', by.now)
  return 'user' in by
    ? waiting.where('user_id', '=', by.user).executeTakeFirst()
    : waiting.where('hash', '=', by.hash).executeTakeFirst()
}

/** Stores the hash of the link. Returns false if the verification is no longer pending. */
export async function updateEmailVerification(
  tx: Transaction,
  { user_id, email }: EmailVerificationsTable,
  link: { hash: string; expires_at: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('email_verifications')
    .set(link)
    .where('user_id', '=', user_id)
    .where('email', '=', email)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function deleteEmailVerification(tx: Transaction, user: string): Promise<void> {
  await tx.deleteFrom('email_verifications').where('user_id', '=', user).execute()
}

export async function deleteExpiredEmailVerifications(tx: Transaction, now: number): Promise<void> {
  await tx.deleteFrom('email_verifications').where('expires_at', '<=', now).execute()
}
