import type { Transaction } from '../db/database.ts'
import { fail } from '../errors.ts'
import { audit } from '../features/audit/audit.ts'
import { type Allowance, countAttempt, tryCount, usedUpUntil } from '../features/sessions/attempts.ts'
import { hasSecondFactor, useSecondFactor } from '../features/sessions/second-factors.ts'
import { findCredentials } from '../features/users/store.ts'
import { checkCounted, mostRight } from '../http/password-check.ts'
import { checkIsSignedIn } from '../http/session.ts'
import type { Visit } from './route.ts'

/**
 * Ten failures in a quarter of an hour, counted for the account alone: who is not signed in cannot use them up, and who has
 * found a browser open has no more than these.
 */
const wrongProofs = (user: string): Allowance[] => [{ of: ['proof', user], most: 10 }]
/** To prove something costs as much where it is right. */
const rightProofs = (user: string): Allowance[] => [{ of: ['proof', 'right', user], most: mostRight }]

/**
 * Shows that who is signed in knows the password. Another one ends the session, so what follows looks at that alone.
 * @throws WRONG_PASSWORD, TOO_MANY_ATTEMPTS
 */
export async function provePassword({ ctx, visitor }: Visit, password: string): Promise<void> {
  const { id } = visitor.user
  const find = async () => {
    const own = await findCredentials(ctx.db.read, { id })
    return { accounts: own ? [own] : [], tries: 1 }
  }
  const counted = { place: `proof ${id}`, wrong: wrongProofs(id), right: rightProofs(id) }
  const { account, refusedUntil } = await checkCounted(ctx, counted, password, find)
  if (refusedUntil !== undefined) refuse(refusedUntil - ctx.clock.now())
  if (!account) fail('WRONG_PASSWORD')
}

/**
 * Does something that takes a code, in one transaction, which gives undefined where the code is wrong.
 * @throws WRONG_CODE, TOO_MANY_ATTEMPTS
 */
export async function withCode<Done>(
  { ctx, visitor }: Visit,
  attempt: (tx: Transaction) => Promise<Done | undefined>,
): Promise<Done> {
  const allowances = wrongProofs(visitor.user.id)
  const now = ctx.clock.now()
  // A failure is counted, and so nothing is thrown here that would take that back.
  const { done, refusedUntil } = await ctx.transaction(async (tx) => {
    await checkIsSignedIn(ctx, tx, visitor)
    const refusedUntil = await usedUpUntil(ctx, tx, allowances)
    if (refusedUntil !== undefined) return { refusedUntil }
    const done = await attempt(tx)
    if (done === undefined) await countAttempt(ctx, tx, allowances)
    return { done }
  })
  if (refusedUntil !== undefined) refuse(refusedUntil - now)
  return done ?? fail('WRONG_CODE', { param: 'code' })
}

/**
 * Does something to the second factor, which takes a code of it or a recovery code: by the password alone, who has got hold of
 * that and of a browser would rid the account of the other factor.
 * @throws SECOND_FACTOR_OFF as well
 */
export async function withSecondFactor<Done>(
  visit: Visit,
  code: string,
  work: (tx: Transaction) => Promise<Done>,
): Promise<Done> {
  const { ctx, visitor } = visit
  const { id, organization_id: organization } = visitor.user
  return withCode(visit, async (tx) => {
    if (!(await hasSecondFactor(tx, id))) fail('SECOND_FACTOR_OFF')
    const used = await useSecondFactor(tx, id, code, ctx.clock.now())
    if (!used) return undefined
    if (used === 'recovery code') {
      await audit(tx, ctx, { organization, actor: id, action: 'user.recovery-code-used', subject: id })
    }
    return work(tx)
  })
}

export function refuse(milliseconds: number): never {
  const retryAfter = Math.ceil(milliseconds / 1000)
  const minutes = Math.ceil(retryAfter / 60)
  fail('TOO_MANY_ATTEMPTS', { retryAfter, message: `That was tried too often. Try again in ${minutes} minutes.` })
}

/** Counts something that is done, right or wrong, so often only. @throws TOO_MANY_ATTEMPTS */
export async function countDone({ ctx }: Visit, allowances: readonly Allowance[]): Promise<void> {
  const now = ctx.clock.now()
  const refusedUntil = await ctx.transaction((tx) => tryCount(ctx, tx, allowances))
  if (refusedUntil !== undefined) refuse(refusedUntil - now)
}
