import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { noteFailedSignIn } from '../features/sessions/failed-sign-ins.ts'
import { type Allowance, forgiveAttempt, tryCount, usedUpUntil } from '../features/sessions/attempts.ts'
import { findByPassword, findMeant, type Meant } from '../features/users/accounts.ts'
import type { Credentials } from '../features/users/store.ts'
import { sortKey } from '../lib/sort-key.ts'
import type { Transaction } from '../db/database.ts'
import type { Context } from '../operation.ts'
import { hasMarks, markOf } from './known-browser.ts'
import { networkOf, siteOf } from './network.ts'

/** What came of a name and a password: the account with what is stored of the password, or until when nothing more is tried. */
export interface Checked {
  account?: Credentials
  refusedUntil?: number
}

/** From where somebody tries. */
export interface From {
  /** The client's address. */
  readonly ip: string
  readonly headers: IncomingHttpHeaders
}

const day = 24 * 60 * 60 * 1000

/** Failures of a site, which may have many networks where these are IPv6. */
const mostOfSite = 1000

/** How often somebody may be right within a quarter of an hour: a password costs as much to check then. */
export const mostRight = 60

/** What is counted of a password that is given for an account. */
export interface Counted {
  /** Whose places those are on which it waits to be checked: few, so that nobody takes those of others. */
  readonly place: string
  readonly wrong: readonly Allowance[]
  readonly right: readonly Allowance[]
}

/**
 * Checks a name and a password. Failures are counted for all processes, in the database: 10 for an account from one network, 300
 * for a network, of which a school has one, 1,000 for a site that has many, 100 for an account from everywhere. A browser in
 * which somebody has signed in to the account before is counted alone, 10 failures, so that others cannot lock its owner out.
 * Of what is right, 60 are counted for the account, apart in such browsers.
 */
export async function checkPassword(ctx: Context, name: string, password: string, from: From): Promise<Checked> {
  const find = () => findMeant(ctx.db.read, name)
  const { accounts = [] } = hasMarks(ctx, from.headers) ? await find() : {}
  // A mark of one account is no leave to guess the password of another with the same address.
  const known = accounts.length === 1 ? accounts[0] : undefined
  const mark = known && markOf(ctx, from.headers, known.id)
  const [network, site] = [networkOf(from.ip), siteOf(from.ip)]
  const key = sortKey(name)
  const counted: Counted =
    known && mark
      ? {
          place: `known ${known.id}`,
          wrong: [{ of: ['sign-in', 'by', mark], most: 10 }],
          right: [{ of: ['sign-in', 'right', 'known', known.id], most: mostRight }],
        }
      : {
          place: `name ${key}`,
          wrong: [
            { of: ['sign-in', key, network], most: 10 },
            { of: ['sign-in', network], most: 300 },
            ...(site === network ? [] : [{ of: ['sign-in', 'site', site], most: mostOfSite }]),
            { of: ['sign-in', 'to', key], most: 100 },
          ],
          right: [{ of: ['sign-in', 'right', key], most: mostRight }],
        }
  return checkCounted(ctx, counted, password, find)
}

/** How often somebody may fail who has given the password and gives the second factor, of which there are a million. */
export function secondFactorAllowances(ctx: Context, user: string, { ip, headers }: From): Allowance[] {
  const mark = markOf(ctx, headers, user)
  const network = networkOf(ip)
  if (mark) {
    return [
      { of: ['second-factor', 'by', mark], most: 10 },
      { of: ['second-factor', 'by-day', mark], most: 50, within: day },
    ]
  }
  return [
    { of: ['second-factor', user, network], most: 10 },
    { of: ['sign-in', network], most: 300 },
    { of: ['second-factor', 'to', user], most: 50, within: day },
  ]
}

/**
 * An attempt is counted before it is made, so that many at once are no more than one after another, and where it was right it
 * is taken back and counted with those.
 */
export async function checkCounted(
  ctx: Context,
  { place, wrong, right }: Counted,
  password: string,
  find: () => Promise<Meant>,
): Promise<Checked> {
  const { db, passwordPlaces } = ctx
  // Others are not to wait for a disk because somebody guesses passwords.
  const count = <T>(work: (tx: Transaction) => Promise<T>) => ctx.transaction(work, { durable: false })
  // Who is refused anyway takes nobody's place, and who finds no place has made no attempt.
  const refusedUntil = await usedUpUntil(ctx, db.read, [...wrong, ...right])
  if (refusedUntil !== undefined) return { refusedUntil }
  const tried = await passwordPlaces(async () => {
    const until = await count((tx) => tryCount(ctx, tx, wrong))
    if (until !== undefined) return { refusedUntil: until }
    const meant = await find()
    const startedAt = performance.now()
    const account = await findByPassword(meant, password)
    // Who guesses has half of the thread at most, and what every guess costs the event loop besides is halved with it.
    if (!account) await delay(performance.now() - startedAt)
    return { meant, account }
  }, place)
  if (!tried.meant) return tried
  const { account, meant } = tried
  // Whoever has the place now counts at the same moment, and so in the same group of transactions.
  if (!account) {
    await count(async (tx) => {
      for (const id of meant.accounts.length === 0 ? [null] : meant.accounts.map(({ id }) => id)) {
        await noteFailedSignIn(ctx, tx, id)
      }
    })
    return {}
  }
  const tooOften = await count(async (tx) => {
    await forgiveAttempt(ctx, tx, wrong)
    return tryCount(ctx, tx, right)
  })
  return tooOften === undefined ? { account } : { refusedUntil: tooOften }
}
