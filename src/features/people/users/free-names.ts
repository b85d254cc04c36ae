import { randomInt } from 'node:crypto'
import type { Queries } from '../../../platform/db/database.ts'
import { Failure } from '../../../errors.ts'
import { sortKey } from '../../../lib/sort-key.ts'
import { identityOf } from './accounts.ts'
import { findTakenNames, type UserRow } from './store.ts'

/** Returns a free username that is based on a nickname. */
export async function freeName(queries: Queries, nickname: string): Promise<string> {
  const base = isUsername(nickname) ? nickname : 'member'
  const names = [base, ...Array.from({ length: 19 }, (_, index) => `${base}${index + 2}`)]
  const takenNames = await findTakenNames(queries, names.map(sortKey))
  return names.find((name) => !takenNames.has(sortKey(name))) ?? `${base}${randomInt(100_000, 1_000_000)}`
}

/**
 * Returns the username of an account whose address changes. A username that is the old address follows: it
 * becomes the new address, or else the part before the @, with a number if that name is taken. Other
 * usernames stay.
 */
export async function nameWithAddress(
  queries: Queries,
  { username, username_key }: Pick<UserRow, 'username' | 'username_key'>,
  email: string | null,
): Promise<string> {
  if (!username_key.includes('@') || username_key === sortKey(email ?? '')) return username
  if (email !== null && isUsername(email, email)) {
    const takenNames = await findTakenNames(queries, [sortKey(email)])
    if (takenNames.size === 0) return email
  }
  const [before = ''] = (email ?? username).normalize('NFKC').split('@')
  // Leaves room for the number.
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
