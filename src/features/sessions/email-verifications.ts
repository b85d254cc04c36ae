import type { Queries, Transaction } from '../../db/database.ts'
import type { EmailVerificationsTable } from '../../db/sign-in-tables.ts'
import type { Context } from '../../operation.ts'
import { emailKey } from '../users/accounts.ts'
import { listUsersByEmail } from '../users/store.ts'
import { type Allowance, tryCount } from './attempts.ts'

const day = 24 * 60 * 60 * 1000

/** Until when a link holds that is sent now. */
export const endOfLink = (now: number): number => now + day

/**
 * How many such mails an address gets in a day because one account asks, whose it seems to be, and how many because of all
 * others: it may be that of somebody who has nothing to do with it, and others are not to use up what its owner may ask for.
 */
const mostMails = 5

/**
 * Has a link sent to an address that somebody says is theirs. Only the last one that was asked for holds. An address gets so
 * many in a day: until when none is sent, in milliseconds since 1970; undefined where it is.
 * @param language of the mail
 */
export async function askForVerification(
  ctx: Context,
  tx: Transaction,
  { user, email, language }: { user: string; email: string; language: string },
): Promise<number | undefined> {
  const key = emailKey(email)
  const of = ['email-to', key, ...((await ownerOf(tx, key)) === user ? ['its owner'] : [])]
  const mails: Allowance[] = [{ of, most: mostMails, within: day }]
  const refusedUntil = await tryCount(ctx, tx, mails)
  if (refusedUntil !== undefined) return refusedUntil
  await deleteEmailVerification(tx, user)
  const row = { user_id: user, email, hash: null, expires_at: endOfLink(ctx.clock.now()) }
  await tx.insertInto('email_verifications').values(row).execute()
  await ctx.jobs.enqueue(tx, { kind: 'send-email-verification', payload: { user, language } })
  return undefined
}

/** The one account whose the address seems most to be: it is verified, or else vouched for, or else the oldest one that has it. */
async function ownerOf(queries: Queries, key: string): Promise<string | undefined> {
  const users = await listUsersByEmail(queries, key)
  const owner =
    users.find(({ email_verified }) => email_verified === 1) ??
    users.find(({ email_vouched }) => email_vouched === 1) ??
    users[0]
  return owner?.id
}

/** The address that waits for its link to be used. */
export async function findEmailVerification(
  queries: Queries,
  by: ({ user: string } | { hash: string }) & { now: number },
): Promise<EmailVerificationsTable | undefined> {
  const waiting = queries.selectFrom('email_verifications').selectAll().where('expires_at', '>', by.now)
  return 'user' in by
    ? waiting.where('user_id', '=', by.user).executeTakeFirst()
    : waiting.where('hash', '=', by.hash).executeTakeFirst()
}

/** Keeps what the link is known by. Whether the address waits still. */
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

export async function deleteSpentEmailVerifications(tx: Transaction, now: number): Promise<void> {
  await tx.deleteFrom('email_verifications').where('expires_at', '<=', now).execute()
}
