import { afterCommit } from '../../platform/db/after-commit.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Context } from '../../context.ts'
import { audit } from '../../features/people/audit/audit.ts'
import { findUser } from '../../features/people/users/store.ts'
import { type AttemptLimit, countAttempt, tryAttempt, limitedUntil } from './attempt-limits.store.ts'
import { day } from '../../lib/durations.ts'

/** The maximum number of audit records per account within 15 minutes. All unknown names share one counter. */
const maxRecorded = 10

/**
 * Records a failed sign-in with a wrong password or passkey (`user`), or an unknown name or passkey (null). The name is not
 * recorded, because users sometimes type a password there. Every call writes to the database, so that the
 * response time does not reveal whether the account exists.
 */
export async function recordFailedSignIn(
  ctx: Context,
  tx: Transaction,
  user: string | null,
  details: { step?: 'passkey' } = {},
): Promise<void> {
  const recorded: AttemptLimit[] = [{ key: ['sign-in-failed', user ?? ''], max: maxRecorded }]
  const isFull = (await limitedUntil(ctx, tx, recorded)) !== undefined
  await countAttempt(ctx, tx, recorded)
  if (isFull) return
  await audit(tx, ctx, {
    organization: { of: user ?? '' },
    actor: null,
    action: 'user.sign-in-failed',
    subject: user,
    details,
  })
}

/** The number of wrong codes per day that are considered typing errors. */
const toleratedFailures = 2

/**
 * Records a wrong second factor after a correct password. It has a limit separate from wrong passwords, which
 * anyone can use up. If mail is configured, the owner is notified once a day, because the person who guesses
 * codes knows the password.
 */
export async function recordFailedSecondFactor(ctx: Context, tx: Transaction, user: string): Promise<void> {
  afterCommit(tx, () => ctx.metrics.countFailedSignIn('second-factor'))
  const recorded: AttemptLimit[] = [{ key: ['second-step-failed', user], max: maxRecorded }]
  if ((await tryAttempt(ctx, tx, recorded)) === undefined) {
    const event = { organization: { of: user }, actor: null, subject: user, details: { step: 'second' } }
    await audit(tx, ctx, { ...event, action: 'user.sign-in-failed' })
  }
  if (!ctx.mailer) return
  const tolerated: AttemptLimit[] = [
    { key: ['second-step-untold', user], max: toleratedFailures, windowMs: day },
  ]
  if ((await tryAttempt(ctx, tx, tolerated)) === undefined) return
  const notified: AttemptLimit[] = [{ key: ['second-step-told', user], max: 1, windowMs: day }]
  if ((await tryAttempt(ctx, tx, notified)) !== undefined) return
  const language = (await findUser(tx, { id: user }))?.locale ?? 'en'
  await ctx.jobs.enqueue(tx, {
    kind: 'send-account-notice',
    payload: { user, notice: 'secondFactorWrong', language },
  })
}
