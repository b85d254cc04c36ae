import type { Context } from '../../context.ts'
import { networkOf, siteOf } from '../../http/network.ts'
import { day, minute } from '../../lib/durations.ts'
import type { Queries, Transaction } from '../../platform/db/database.ts'
import { type AttemptLimit, limitedUntil, noteEvent } from './attempt-limits.store.ts'

/** The limits of failures of one address, which may be the one of a whole school. */
interface AddressLimits {
  readonly limits: readonly AttemptLimit[]
  /** Whether the usual failures of the network or site are used up, so that the limits are the slower ones. */
  readonly isExhausted: boolean
}

/** The usual failures. An IPv6 site may have many networks. */
const usualLimits = (ip: string): AttemptLimit[] => {
  const [network, site] = [networkOf(ip), siteOf(ip)]
  const ofNetwork = { key: ['sign-in', network], max: 300 }
  return site === network ? [ofNetwork] : [ofNetwork, { key: ['sign-in', 'site', site], max: 1000 }]
}

/** The failures per minute of all other accounts at an address whose usual failures are used up. */
const slowLimit = (ip: string): AttemptLimit => ({
  key: ['sign-in', 'slow', siteOf(ip)],
  max: 5,
  windowMs: minute,
})

/** The failures per day of an account that signed in from this address recently. */
const recentAccountLimit = (account: string, ip: string): AttemptLimit => ({
  key: ['sign-in', 'recent', account, siteOf(ip)],
  max: 20,
  windowMs: day,
})

/** The note that an account signed in from an address. */
const recentSignIn = (account: string, ip: string): AttemptLimit => ({
  key: ['signed-in', account, siteOf(ip)],
  max: 1,
  windowMs: 30 * day,
})

/**
 * Returns the limits of failures of an address for attempts without a trusted device. One person must not lock out all
 * others who share the address. So when the usual failures are used up, an account that signed in from there within 30
 * days has 20 failures a day of its own, and all other attempts share 5 failures a minute.
 * @param accounts the accounts that the typed name may mean
 */
export async function addressLimitsOf(
  ctx: Context,
  queries: Queries,
  accounts: readonly { readonly id: string }[],
  ip: string,
): Promise<AddressLimits> {
  const isExhausted = async (...limits: AttemptLimit[]) =>
    (await limitedUntil(ctx, queries, limits)) !== undefined
  const usual = usualLimits(ip)
  if (!(await isExhausted(...usual))) return { limits: usual, isExhausted: false }
  const areRecent = await Promise.all(accounts.map(({ id }) => isExhausted(recentSignIn(id, ip))))
  const ownLimits = accounts.map(({ id }) => recentAccountLimit(id, ip))
  const hasOwnFailures = accounts.length > 0 && areRecent.every(Boolean) && !(await isExhausted(...ownLimits))
  return { limits: hasOwnFailures ? ownLimits : [slowLimit(ip)], isExhausted: true }
}

/** Notes that an account signed in from an address. */
export async function noteSignIn(
  ctx: Context,
  tx: Transaction,
  { account, ip }: { account: string; ip: string },
): Promise<void> {
  await noteEvent(ctx, tx, recentSignIn(account, ip))
}
