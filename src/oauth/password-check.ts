import { availableParallelism } from 'node:os'
import { type Allowance, countAttempt, forgiveAttempt, usedUpUntil } from '../features/sessions/attempts.ts'
import { findByNameOrAddress, isPassword } from '../features/users/accounts.ts'
import type { Credentials } from '../features/users/store.ts'
import { networkOf } from '../http/network.ts'
import { type Bounded, bounded } from '../lib/bounded.ts'
import { sortKey } from '../lib/sort-key.ts'
import type { Context } from '../operation.ts'

/** What came of a name and a password: the account with what is stored of the password, or until when nothing more is tried. */
export interface Checked {
  account?: Credentials
  refusedUntil?: number
}

export type PasswordCheck = (name: string, password: string, address: string) => Promise<Checked>

/**
 * Passwords are checked and hashed on threads beside the event loop, a few at a time, so that others are served while many
 * try; who comes when a hundred wait is refused (SERVER_BUSY). The threads are shared with files and compression, and one
 * core at least is left to requests.
 */
export const passwordThreads = (): Bounded => bounded(Math.max(1, Math.min(3, availableParallelism() - 1)), 100)

/**
 * Failures are counted for all processes, in the database: 10 for an account from one network, 300 for a network, of which a
 * school has one. An attempt is counted before it is made, so that many at once are no more than one after another, and taken
 * back when it was right.
 */
export function passwordCheck(ctx: Context, threads: Bounded): PasswordCheck {
  const { clock, db } = ctx
  return async (name, password, address) => {
    const network = networkOf(address)
    const allowances: Allowance[] = [
      { of: ['sign-in', sortKey(name), network], most: 10 },
      { of: ['sign-in', network], most: 300 },
    ]
    // Who is refused anyway takes nobody's place, and who finds no place has made no attempt.
    const refusedUntil = await usedUpUntil(db.read, allowances, clock.now())
    if (refusedUntil !== undefined) return { refusedUntil }
    return threads(async () => {
      const until = await ctx.transaction(async (tx) => {
        const now = clock.now()
        const used = await usedUpUntil(tx, allowances, now)
        if (used === undefined) await countAttempt(tx, allowances, now)
        return used
      })
      if (until !== undefined) return { refusedUntil: until }
      const credentials = await findByNameOrAddress(db.read, name)
      const isRight = await isPassword(credentials?.password_hash, password)
      if (!credentials || !isRight) return {}
      await ctx.transaction((tx) => forgiveAttempt(tx, allowances))
      return { account: credentials }
    })
  }
}
