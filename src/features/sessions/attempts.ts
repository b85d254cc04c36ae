import { hash } from 'node:crypto'
import type { Queries, Transaction } from '../../db/database.ts'

/** How often something may be tried by somebody within a quarter of an hour. */
export interface Allowance {
  /** What is tried, and by whom: `sign-in`, an address, an account. */
  of: readonly string[]
  most: number
}

const windowMilliseconds = 15 * 60 * 1000

/** The end of the window of an allowance that is used up, in milliseconds since 1970; undefined where none is. */
export async function usedUpUntil(
  queries: Queries,
  allowances: readonly Allowance[],
  now: number,
): Promise<number | undefined> {
  const most = new Map(allowances.map((allowance) => [keyOf(allowance), allowance.most]))
  const rows = await queries
    .selectFrom('attempts')
    .selectAll()
    .where('key', 'in', [...most.keys()])
    .where('expires_at', '>', now)
    .execute()
  return rows.find(({ key, count }) => count >= (most.get(key) ?? 0))?.expires_at
}

/** Counts one attempt, for all processes and through restarts. A window begins with the first. */
export async function countAttempt(tx: Transaction, allowances: readonly Allowance[], now: number): Promise<void> {
  const keys = allowances.map(keyOf)
  await tx.deleteFrom('attempts').where('key', 'in', keys).where('expires_at', '<=', now).execute()
  await tx
    .insertInto('attempts')
    .values(keys.map((key) => ({ key, count: 1, expires_at: now + windowMilliseconds })))
    .onConflict((conflict) => conflict.column('key').doUpdateSet((eb) => ({ count: eb('attempts.count', '+', 1) })))
    .execute()
}

/** Takes an attempt back that went well. */
export async function forgiveAttempt(tx: Transaction, allowances: readonly Allowance[]): Promise<void> {
  await tx
    .updateTable('attempts')
    .set((eb) => ({ count: eb('count', '-', 1) }))
    .where('key', 'in', allowances.map(keyOf))
    .where('count', '>', 0)
    .execute()
}

/** Forgets the windows that are over. */
export async function deleteSpentAttempts(tx: Transaction, now: number): Promise<void> {
  await tx.deleteFrom('attempts').where('expires_at', '<=', now).execute()
}

/** The table says of nobody from where they came. */
const keyOf = ({ of }: Allowance): string => hash('sha256', JSON.stringify(of), 'base64url')
