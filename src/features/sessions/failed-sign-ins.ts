import type { Transaction } from '../../db/database.ts'
import type { Context } from '../../operation.ts'
import { audit } from '../audit/audit.ts'
import { findUser } from '../users/store.ts'
import { type Allowance, countAttempt, tryCount, usedUpUntil } from './attempts.ts'

const day = 24 * 60 * 60 * 1000

/** So many are written down of one account in a quarter of an hour, and of all names that nobody has together. */
const mostWritten = 10

/**
 * Writes down that somebody has tried a wrong password, or a name that nobody has (null): what was typed is not kept, it may
 * be a password. Something is written in any case, so that the time it takes does not say whether there is the account.
 */
export async function noteFailedSignIn(ctx: Context, tx: Transaction, user: string | null): Promise<void> {
  const written: Allowance[] = [{ of: ['sign-in-failed', user ?? ''], most: mostWritten }]
  const isFull = (await usedUpUntil(ctx, tx, written)) !== undefined
  await countAttempt(ctx, tx, written)
  if (isFull) return
  await audit(tx, ctx, { organization: { of: user ?? '' }, actor: null, action: 'user.sign-in-failed', subject: user })
}

/** How many wrong codes a day nobody is told of: one types wrong. */
const mostUntold = 2

/**
 * Writes down that somebody has given the password, and a wrong second factor: apart from wrong passwords, of which anybody can
 * make as many as are written. Once a day the owner is told, where mails are sent: who guesses there has the password.
 */
export async function noteFailedSecondStep(ctx: Context, tx: Transaction, user: string): Promise<void> {
  const written: Allowance[] = [{ of: ['second-step-failed', user], most: mostWritten }]
  if ((await tryCount(ctx, tx, written)) === undefined) {
    const event = { organization: { of: user }, actor: null, subject: user, details: { step: 'second' } }
    await audit(tx, ctx, { ...event, action: 'user.sign-in-failed' })
  }
  if (!ctx.mailer) return
  const untold: Allowance[] = [{ of: ['second-step-untold', user], most: mostUntold, within: day }]
  if ((await tryCount(ctx, tx, untold)) === undefined) return
  const told: Allowance[] = [{ of: ['second-step-told', user], most: 1, within: day }]
  if ((await tryCount(ctx, tx, told)) !== undefined) return
  const language = (await findUser(tx, { id: user }))?.locale ?? 'en'
  await ctx.jobs.enqueue(tx, { kind: 'send-account-notice', payload: { user, notice: 'secondFactorWrong', language } })
}
