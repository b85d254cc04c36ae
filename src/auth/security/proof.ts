import type { SessionActor } from '../../actor.ts'
import type { Proof } from '../../contract/account-security.ts'
import type { Context } from '../../context.ts'
import { fail } from '../../errors.ts'
import { auditOwn } from '../../features/people/audit/audit.ts'
import { findCredentials } from '../../features/people/users/store.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { checkAssertion, useAssertion } from '../passkeys/assertions.ts'
import { hasSecondFactor, useSecondFactor } from '../second-factor/second-factors.store.ts'
import { checkIsSignedIn } from '../sessions/session-user.ts'
import { type AttemptLimit, countAttempt, limitedUntil } from '../throttling/attempt-limits.store.ts'
import { minutesOf, secondsUntil, secondsUntilNextAttempt } from '../throttling/next-attempt.ts'
import { checkPasswordWithLimits, maxSuccesses } from '../throttling/password-check.ts'

/**
 * Ten failures in a quarter of an hour, counted for the account alone. Callers who are not signed in cannot use them up, and a
 * person at an unlocked browser has no more than these.
 */
const failureLimits = (user: string): AttemptLimit[] => [{ key: ['proof', user], max: 10 }]
/** A correct proof costs as much time as a wrong one, so it is counted as well. */
const proofLimits = (user: string): AttemptLimit[] => [{ key: ['proof', 'right', user], max: maxSuccesses }]

/**
 * Checks that the caller knows the password of the account. Because a new password ends all sessions, a later transaction needs
 * to check the session only.
 * @throws WRONG_PASSWORD, TOO_MANY_ATTEMPTS
 */
export async function provePassword(
  ctx: Context,
  { id }: Pick<SessionActor, 'id'>,
  password: string,
): Promise<void> {
  const find = async () => {
    const own = await findCredentials(ctx.db.read, { id })
    return { accounts: own ? [own] : [], tries: 1 }
  }
  const limits = { caller: id, failures: failureLimits(id), successes: proofLimits(id) }
  const { account, refusedUntil } = await checkPasswordWithLimits(ctx, async () => limits, password, find)
  if (refusedUntil !== undefined) refuse(secondsUntil(ctx, refusedUntil))
  if (!account) fail('WRONG_PASSWORD')
}

/**
 * Runs a change that needs a code, in one transaction.
 * @param attempt returns undefined if the code is wrong; the failure is then counted
 * @param wrong the error of a wrong code
 * @throws UNAUTHORIZED, WRONG_CODE, WRONG_PASSKEY, TOO_MANY_ATTEMPTS
 */
export async function withCode<Result>(
  ctx: Context,
  { id, access }: SessionActor,
  attempt: (tx: Transaction) => Promise<Result | undefined>,
  wrong: WrongFactor = 'code',
): Promise<Result> {
  const limits = failureLimits(id)
  // An error thrown inside the transaction would roll back the count of the failure.
  const { result, refusedUntil } = await ctx.transaction(async (tx) => {
    await checkIsSignedIn(ctx, tx, access.hash)
    const refusedUntil = await limitedUntil(ctx, tx, limits)
    if (refusedUntil !== undefined) return { refusedUntil }
    const result = await attempt(tx)
    if (result === undefined) await countAttempt(ctx, tx, limits)
    return { result }
  })
  if (refusedUntil !== undefined) refuse(secondsUntil(ctx, refusedUntil))
  return result ?? fail(wrong === 'code' ? 'WRONG_CODE' : 'WRONG_PASSKEY', { param: wrong })
}

/** The member of a proof that was wrong. */
type WrongFactor = 'code' | 'passkey'

/**
 * Runs a change in one transaction, after the caller has proved to own the account. If the account has a second factor, the
 * password is not enough: otherwise a person who has the password and an unlocked browser could add or remove a factor.
 * @throws UNAUTHORIZED, INVALID_PARAMETER, WRONG_PASSWORD, WRONG_CODE, WRONG_PASSKEY, TOO_MANY_ATTEMPTS
 */
export async function withProof<Result>(
  ctx: Context,
  actor: SessionActor,
  proof: Proof,
  change: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const { id, access } = actor
  if (await hasSecondFactor(ctx.db.read, id)) return withSecondFactor(ctx, actor, proof, change)
  if (proof.password === undefined) missing('password', 'The password of the account is required.')
  await provePassword(ctx, actor, proof.password)
  return ctx.transaction(async (tx) => {
    await checkIsSignedIn(ctx, tx, access.hash)
    // Another request may have added one meanwhile.
    if (await hasSecondFactor(tx, id)) missing('code', factorNeeded)
    return change(tx)
  })
}

/**
 * Runs a change that needs a second factor: a code of the authenticator app, a recovery code or a passkey.
 * @throws UNAUTHORIZED, INVALID_PARAMETER, SECOND_FACTOR_OFF, WRONG_CODE, WRONG_PASSKEY, TOO_MANY_ATTEMPTS
 */
export async function withSecondFactor<Result>(
  ctx: Context,
  actor: SessionActor,
  { code, passkey }: Proof,
  change: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const { id, access } = actor
  if (passkey) {
    const checked = await checkAssertion(ctx, passkey, false)
    const use = { purpose: 'proof', holder: access.hash, user: id } as const
    const attempt = async (tx: Transaction) =>
      (await useAssertion(ctx, tx, checked, use)) === undefined ? undefined : change(tx)
    return withCode(ctx, actor, attempt, 'passkey')
  }
  if (code === undefined) missing('code', factorNeeded)
  return withCode(ctx, actor, async (tx) => {
    if (!(await hasSecondFactor(tx, id))) fail('SECOND_FACTOR_OFF')
    const used = await useSecondFactor(ctx, tx, id, code, ctx.systemClock.now())
    if (!used) return undefined
    if (used === 'recovery code') {
      await auditOwn(tx, ctx, id, { action: 'user.recovery-code-used' })
    }
    return change(tx)
  })
}

const factorNeeded = 'The account has a second factor, so a code or a passkey is required.'

function missing(param: string, message: string): never {
  fail('INVALID_PARAMETER', { param, message })
}

/** @throws TOO_MANY_ATTEMPTS */
export function refuse(seconds: number): never {
  const { minutes } = minutesOf(seconds)
  fail('TOO_MANY_ATTEMPTS', {
    retryAfter: seconds,
    message: `Too many attempts. Try again in ${minutes} minutes.`,
  })
}

/**
 * Counts something that is limited whether it succeeds or fails.
 * @throws TOO_MANY_ATTEMPTS
 */
export async function countAction(ctx: Context, limits: readonly AttemptLimit[]): Promise<void> {
  const seconds = await secondsUntilNextAttempt(ctx, limits)
  if (seconds !== undefined) refuse(seconds)
}
