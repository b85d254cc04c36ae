import { createHmac, randomBytes } from 'node:crypto'
import { compiled, type Params } from '../../db/compiled.ts'
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

/** An allowance as it is stored. */
interface Keyed {
  key: string
  most: number
  within: number
}

const attemptsBy = compiled((db, p: Params<{ keys: readonly string[]; now: number }>) =>
  db
    .selectFrom('attempts')
    .where('key', 'in', p.list('keys'))
    .where('expires_at', '>', p('now'))
    .select(['key', 'count', 'expires_at']),
)

async function findUsedUp(queries: Queries, keyed: readonly Keyed[], now: number): Promise<number | undefined> {
  const most = new Map(keyed.map((one) => [one.key, one.most]))
  const rows = await attemptsBy(queries, { keys: [...most.keys()], now })
  const used = rows.filter(({ key, count }) => count >= (most.get(key) ?? 0))
  return used.length === 0 ? undefined : Math.max(...used.map(({ expires_at }) => expires_at))
}

/** When the last of the allowances that are used up is so no more, in milliseconds since 1970; undefined where none is. */
export async function usedUpUntil(
  queries: Queries,
  allowances: readonly Allowance[],
  now: number,
): Promise<number | undefined> {
  const secret = await findServerSecret(queries, secretName)
  // Where there is none, nobody has tried anything yet.
  return secret && findUsedUp(queries, keyedWith(secret, allowances), now)
}

const countOne = compiled((db, p: Params<{ key: string; now: number; expiresAt: number }>) =>
  db
    .insertInto('attempts')
    .values({ key: p('key'), count: 1, expires_at: p('expiresAt') })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((eb) => {
        const isOver = eb('attempts.expires_at', '<=', p('now'))
        return {
          count: eb
            .case()
            .when(isOver)
            .then(1)
            .else(eb('attempts.count', '+', 1))
            .end(),
          expires_at: eb.case().when(isOver).then(p('expiresAt')).else(eb.ref('attempts.expires_at')).end(),
        }
      }),
    ),
)

async function countKeyed(tx: Transaction, keyed: readonly Keyed[], now: number): Promise<void> {
  await Promise.all(keyed.map(({ key, within }) => countOne(tx, { key, now, expiresAt: now + within })))
}

/** Counts one attempt, for all processes and through restarts. A window begins with the first. */
export async function countAttempt(tx: Transaction, allowances: readonly Allowance[], now: number): Promise<void> {
  await countKeyed(tx, await keyedIn(tx, allowances), now)
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
  const keyed = await keyedIn(tx, allowances)
  const refusedUntil = await findUsedUp(tx, keyed, now)
  if (refusedUntil === undefined) await countKeyed(tx, keyed, now)
  return refusedUntil
}

const takeBack = compiled((db, p: Params<{ keys: readonly string[] }>) =>
  db
    .updateTable('attempts')
    .set((eb) => ({ count: eb('count', '-', 1) }))
    .where('key', 'in', p.list('keys'))
    .where('count', '>', 0),
)

/** Takes an attempt back that went well. */
export async function forgiveAttempt(tx: Transaction, allowances: readonly Allowance[]): Promise<void> {
  const keyed = await keyedIn(tx, allowances)
  await takeBack(tx, { keys: keyed.map(({ key }) => key) })
}

/** Forgets the windows that are over. */
export async function deleteSpentAttempts(tx: Transaction, now: number): Promise<void> {
  await tx.deleteFrom('attempts').where('expires_at', '<=', now).execute()
}

const secretName = 'attempts'

async function keyedIn(tx: Transaction, allowances: readonly Allowance[]): Promise<Keyed[]> {
  return keyedWith(await loadServerSecretIn(tx, secretName, () => randomBytes(32)), allowances)
}

/** The table says of nobody that they were here, nor from where: names and addresses can be guessed, and a plain hash would tell. */
const keyedWith = (secret: Uint8Array, allowances: readonly Allowance[]): Keyed[] =>
  allowances.map(({ of, most, within = quarterOfAnHour }) => ({
    key: createHmac('sha256', secret).update(JSON.stringify(of)).digest('base64url'),
    most,
    within,
  }))
