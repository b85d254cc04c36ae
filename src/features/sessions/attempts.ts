import { createHmac, randomBytes } from 'node:crypto'
import type { Queries, Transaction } from '../../db/database.ts'
import { findServerSecret, loadServerSecretIn } from '../../db/server-secrets.ts'

/** How often something may be tried by somebody within a quarter of an hour, or as long as is said. */
export interface Allowance {
  /** What is tried, and by whom: `sign-in`, an address, an account. */
  of: readonly string[]
  most: number
  /** In milliseconds. */
  within?: number
}

const quarterOfAnHour = 15 * 60 * 1000

/** When the last of the allowances that are used up is so no more, in milliseconds since 1970; undefined where none is. */
export async function usedUpUntil(
  queries: Queries,
  allowances: readonly Allowance[],
  now: number,
): Promise<number | undefined> {
  const secret = await findServerSecret(queries, secretName)
  // Nobody has tried anything yet.
  if (!secret) return undefined
  const most = new Map(allowances.map((allowance) => [keyOf(secret, allowance), allowance.most]))
  const rows = await queries
    .selectFrom('attempts')
    .selectAll()
    .where('key', 'in', [...most.keys()])
    .where('expires_at', '>', now)
    .execute()
  const used = rows.filter(({ key, count }) => count >= (most.get(key) ?? 0))
  return used.length === 0 ? undefined : Math.max(...used.map(({ expires_at }) => expires_at))
}

/** Counts one attempt, for all processes and through restarts. A window begins with the first. */
export async function countAttempt(tx: Transaction, allowances: readonly Allowance[], now: number): Promise<void> {
  const secret = await loadServerSecretIn(tx, secretName, () => randomBytes(32))
  const begun = allowances.map((allowance) => {
    return { key: keyOf(secret, allowance), count: 1, expires_at: now + (allowance.within ?? quarterOfAnHour) }
  })
  const keys = begun.map(({ key }) => key)
  await tx.deleteFrom('attempts').where('key', 'in', keys).where('expires_at', '<=', now).execute()
  await tx
    .insertInto('attempts')
    .values(begun)
    .onConflict((conflict) => conflict.column('key').doUpdateSet((eb) => ({ count: eb('attempts.count', '+', 1) })))
    .execute()
}

/**
 * Counts something where none of its allowances is used up. Until when nothing more is done, where one is: then nothing is
 * counted.
 */
export async function tryCount(
  tx: Transaction,
  allowances: readonly Allowance[],
  now: number,
): Promise<number | undefined> {
  const refusedUntil = await usedUpUntil(tx, allowances, now)
  if (refusedUntil === undefined) await countAttempt(tx, allowances, now)
  return refusedUntil
}

/** Takes an attempt back that went well. */
export async function forgiveAttempt(tx: Transaction, allowances: readonly Allowance[]): Promise<void> {
  const secret = await loadServerSecretIn(tx, secretName, () => randomBytes(32))
  const keys = allowances.map((allowance) => keyOf(secret, allowance))
  await tx
    .updateTable('attempts')
    .set((eb) => ({ count: eb('count', '-', 1) }))
    .where('key', 'in', keys)
    .where('count', '>', 0)
    .execute()
}

/** Forgets the windows that are over. */
export async function deleteSpentAttempts(tx: Transaction, now: number): Promise<void> {
  await tx.deleteFrom('attempts').where('expires_at', '<=', now).execute()
}

const secretName = 'attempts'

/** The table says of nobody that they were here, nor from where: names and addresses can be guessed, and a plain hash would tell. */
const keyOf = (secret: Uint8Array, { of }: Allowance): string =>
  createHmac('sha256', secret).update(JSON.stringify(of)).digest('base64url')
