import { createHmac } from 'node:crypto'
import { compiled, type Params } from '../../db/compiled.ts'
import type { Queries, Transaction } from '../../db/database.ts'
import type { Context } from '../../operation.ts'

/** How often something may be tried by somebody within a quarter of an hour, or as long as is said. */
export interface Allowance {
  /** What is tried, and by whom: `sign-in`, an address, an account. */
  of: readonly string[]
  most: number
  /** In milliseconds. */
  within?: number
}

const quarterOfAnHour = 15 * 60 * 1000

/** What counting needs of a context. */
type Counting = Pick<Context, 'attemptSecret' | 'clock'>

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

async function findUsedUp(queries: Queries, allowances: readonly Keyed[], now: number): Promise<number | undefined> {
  const most = new Map(allowances.map(({ key, most }) => [key, most]))
  const rows = await attemptsBy(queries, { keys: [...most.keys()], now })
  const used = rows.filter(({ key, count }) => count >= (most.get(key) ?? 0))
  return used.length === 0 ? undefined : Math.max(...used.map(({ expires_at }) => expires_at))
}

/** When the last of the allowances that are used up is so no more, in milliseconds since 1970; undefined where none is. */
export async function usedUpUntil(
  ctx: Counting,
  queries: Queries,
  allowances: readonly Allowance[],
): Promise<number | undefined> {
  return findUsedUp(queries, keyed(ctx, allowances), ctx.clock.now())
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

async function countKeyed(tx: Transaction, allowances: readonly Keyed[], now: number): Promise<void> {
  await Promise.all(allowances.map(({ key, within }) => countOne(tx, { key, now, expiresAt: now + within })))
}

/** Counts one attempt, for all processes and through restarts. A window begins with the first. */
export async function countAttempt(ctx: Counting, tx: Transaction, allowances: readonly Allowance[]): Promise<void> {
  await countKeyed(tx, keyed(ctx, allowances), ctx.clock.now())
}

/**
 * Counts something where none of its allowances is used up. Until when nothing more is done, where one is: then nothing is
 * counted.
 */
export async function tryCount(
  ctx: Counting,
  tx: Transaction,
  allowances: readonly Allowance[],
): Promise<number | undefined> {
  const now = ctx.clock.now()
  const asStored = keyed(ctx, allowances)
  const refusedUntil = await findUsedUp(tx, asStored, now)
  if (refusedUntil === undefined) await countKeyed(tx, asStored, now)
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
export async function forgiveAttempt(ctx: Counting, tx: Transaction, allowances: readonly Allowance[]): Promise<void> {
  await takeBack(tx, { keys: keyed(ctx, allowances).map(({ key }) => key) })
}

/** Forgets the windows that are over. */
export async function deleteSpentAttempts(tx: Transaction, now: number): Promise<void> {
  await tx.deleteFrom('attempts').where('expires_at', '<=', now).execute()
}

/** The table says of nobody that they were here, nor from where: names and addresses can be guessed, and a plain hash would tell. */
const keyed = ({ attemptSecret }: Counting, allowances: readonly Allowance[]): Keyed[] =>
  allowances.map(({ of, most, within = quarterOfAnHour }) => ({
    key: createHmac('sha256', attemptSecret).update(JSON.stringify(of)).digest('base64url'),
    most,
    within,
  }))
