import { randomInt } from 'node:crypto'
import type { Queries } from '../../db/database.ts'
import { Failure } from '../../errors.ts'
import { sortKey } from '../../lib/sort-key.ts'
import { identityOf } from './accounts.ts'
import { findTakenNames, type UserRow } from './store.ts'

/** A username like this that nobody has. */
export async function freeName(queries: Queries, nickname: string): Promise<string> {
  const base = isUsername(nickname) ? nickname : 'member'
  const names = [base, ...Array.from({ length: 19 }, (_, index) => `${base}${index + 2}`)]
  const taken = await findTakenNames(queries, names.map(sortKey))
  return names.find((name) => !taken.has(sortKey(name))) ?? `${base}${randomInt(100_000, 1_000_000)}`
}

/**
 * What an account is called that gets another address, or none. A username that is an address is the account's own, so it follows:
 * it is the new address, or else what stands before the @, with a number where somebody has that.
 */
export async function nameWithAddress(
  queries: Queries,
  { username, username_key }: Pick<UserRow, 'username' | 'username_key'>,
  email: string | null,
): Promise<string> {
  if (!username_key.includes('@') || username_key === sortKey(email ?? '')) return username
  if (email !== null && isUsername(email, email)) {
    const taken = await findTakenNames(queries, [sortKey(email)])
    if (taken.size === 0) return email
  }
  const [before = ''] = (email ?? username).normalize('NFKC').split('@')
  // With a number it must not be too long either.
  return freeName(queries, before.slice(0, 24))
}

function isUsername(username: string, email?: string): boolean {
  try {
    identityOf({ username, email })
    return true
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}
