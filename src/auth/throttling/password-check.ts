import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { addressLimitsOf } from './address-limits.ts'
import { recordFailedSignIn } from './failed-sign-ins.ts'
import { type AttemptLimit, refundAttempt, tryAttempt, limitedUntil } from './attempt-limits.store.ts'
import { findByPassword, findCandidates, type Candidates } from '../../features/people/users/accounts.ts'
import type { Credentials } from '../../features/people/users/store.ts'
import { sortKey } from '../../lib/sort-key.ts'
import type { Queries, Transaction } from '../../platform/db/database.ts'
import type { Context } from '../../context.ts'
import { trustedDeviceTokenOf } from './trusted-device-cookie.ts'
import { networkOf, siteOf } from '../../http/network.ts'
import { day } from '../../lib/durations.ts'

/**
 * The result of a sign-in: the account if the password is correct, or the time until which attempts are
 * refused.
 */
export interface PasswordCheckResult {
  account?: Credentials
  refusedUntil?: number
}

/** The origin of an attempt. */
export interface ClientOrigin {
  /** The IP address of the client. */
  readonly ip: string
  readonly headers: IncomingHttpHeaders
}

/** The maximum number of correct passwords within 15 minutes. It bounds the cost of hashing. */
export const maxSuccesses = 60

/** The limits for a password of an account. */
export interface PasswordLimits {
  /** The caller whose turn the check takes: the account if the browser or session is known to be its own, else the network. */
  readonly caller: string
  readonly failures: readonly AttemptLimit[]
  readonly successes: readonly AttemptLimit[]
}

/**
 * Checks a name and a password. Each limit counts within 15 minutes, unless another time is given:
 *
 * - A browser with a trusted-device token of the account has 10 failures of its own, and no other limit of
 *   failures. So others cannot lock the owner out.
 * - Other attempts have 10 failures per account and network, and 100 per account from everywhere. They share
 *   the failures of their network and site (`addressLimitsOf`), which do not lock out all accounts.
 *
 * Correct passwords are limited to 60 per account, with a separate counter for trusted devices.
 */
export async function checkPassword(
  ctx: Context,
  name: string,
  password: string,
  { ip, headers }: ClientOrigin,
): Promise<PasswordCheckResult> {
  const find = () => findCandidates(ctx.db.read, name)
  const { accounts } = await find()
  // If several accounts have this address, a token of one account must not give more attempts for another.
  const known = accounts.length === 1 ? accounts[0] : undefined
  const token = known && trustedDeviceTokenOf(ctx, headers, known.id)
  const keys = attemptKeys(accounts, name)
  const limitsOf = async (queries: Queries): Promise<PasswordLimits> => {
    if (known && token) {
      return {
        caller: known.id,
        failures: [{ key: ['sign-in', 'by', token], max: 10 }],
        successes: [{ key: ['sign-in', 'right', 'known', known.id], max: maxSuccesses }],
      }
    }
    const ofAddress = await addressLimitsOf(ctx, queries, accounts, ip)
    return {
      caller: ofAddress.isExhausted ? siteOf(ip) : networkOf(ip),
      failures: [
        ...keys.map((key) => ({ key: ['sign-in', key, networkOf(ip)], max: 10 })),
        ...ofAddress.limits,
        ...keys.map((key) => ({ key: ['sign-in', 'to', key], max: 100 })),
      ],
      successes: keys.map((key) => ({ key: ['sign-in', 'right', key], max: maxSuccesses })),
    }
  }
  return checkPasswordWithLimits(ctx, limitsOf, password, find)
}

/**
 * Returns the keys by which attempts at a typed name are counted: the name, and the accounts that it may mean, so that a
 * username and an address of one account share a counter. The name counts in any case: otherwise another spelling of it
 * would show whether an account exists.
 */
const attemptKeys = (accounts: readonly Pick<Credentials, 'id'>[], name: string): readonly string[] => [
  sortKey(name),
  ...accounts.map(({ id }) => id),
]

/** Returns the limits of wrong second factors after a correct password. There are only a million codes. */
export function secondFactorLimits(
  ctx: Context,
  user: string,
  { ip, headers }: ClientOrigin,
): AttemptLimit[] {
  const token = trustedDeviceTokenOf(ctx, headers, user)
  const network = networkOf(ip)
  if (token) {
    return [
      { key: ['second-factor', 'by', token], max: 10 },
      { key: ['second-factor', 'by-day', token], max: 50, windowMs: day },
    ]
  }
  return [
    { key: ['second-factor', user, network], max: 10 },
    { key: ['second-factor', 'to', user], max: 50, windowMs: day },
  ]
}

/**
 * Returns the limits of passkeys that are not accepted, without a password before. No key can be guessed, so the limits only
 * bound the work and the records that a client causes. Failures of unknown passkeys do not concern the passkeys of accounts.
 * @param user undefined if no account has the passkey
 */
export function passkeyLimits(
  ctx: Context,
  user: string | undefined,
  { ip, headers }: ClientOrigin,
): AttemptLimit[] {
  const token = user && trustedDeviceTokenOf(ctx, headers, user)
  if (token) return [{ key: ['passkey', 'by', token], max: 10 }]
  return [
    user
      ? { key: ['passkey', user, networkOf(ip)], max: 10 }
      : { key: ['passkey', 'unknown', siteOf(ip)], max: 300 },
  ]
}

/**
 * Checks a password under these limits. The attempt is counted before the check, so that concurrent attempts
 * cannot exceed the limit. After a correct password, the count of failures is decremented and the count of
 * successes is incremented.
 */
export async function checkPasswordWithLimits(
  ctx: Context,
  limitsOf: (queries: Queries) => Promise<PasswordLimits>,
  password: string,
  find: () => Promise<Candidates>,
): Promise<PasswordCheckResult> {
  const { db } = ctx
  // Not durable, because other requests should not wait for disk writes that a password guesser causes.
  const count = <T>(work: (tx: Transaction) => Promise<T>) => ctx.transaction(work, { durable: false })
  // A refused attempt takes no slot, and an attempt without a free slot is not counted.
  const { caller, failures, successes } = await limitsOf(db.read)
  const refusedUntil = await limitedUntil(ctx, db.read, [...failures, ...successes])
  if (refusedUntil !== undefined) return { refusedUntil }
  const attempt = await ctx.auth.passwordHashLimiter.run({ caller }, async () => {
    const { until, counted } = await count(async (tx) => {
      const { failures: counted } = await limitsOf(tx)
      return { counted, until: await tryAttempt(ctx, tx, counted) }
    })
    if (until !== undefined) return { refusedUntil: until }
    const candidates = await find()
    const startedAt = performance.now()
    const account = await findByPassword(candidates, password)
    // The delay limits a guesser to half of a thread, and halves the load on the event loop.
    if (!account) await delay(performance.now() - startedAt)
    return { candidates, account, counted }
  })
  if (!attempt.candidates) return attempt
  const { account, candidates, counted } = attempt
  // The slot is free again. The next attempt starts counting now, so both writes are committed in one group.
  if (!account) {
    ctx.metrics.countFailedSignIn('password')
    await count(async (tx) => {
      for (const id of candidates.accounts.length === 0 ? [null] : candidates.accounts.map(({ id }) => id)) {
        await recordFailedSignIn(ctx, tx, id)
      }
    })
    return {}
  }
  const limitedUntilTime = await count(async (tx) => {
    await refundAttempt(ctx, tx, counted)
    return tryAttempt(ctx, tx, successes)
  })
  return limitedUntilTime === undefined ? { account } : { refusedUntil: limitedUntilTime }
}
