import { createHmac } from 'node:crypto'
import { compiled, type Params } from '../../platform/db/compiled.ts'
import type { Queries, Transaction } from '../../platform/db/database.ts'
import type { Context } from '../../context.ts'
import { minute } from '../../lib/durations.ts'

/** A limit of how often an action may be done in a window of time, 15 minutes by default. */
export interface AttemptLimit {
  /** The parts of the key of the counter: the action, and the address or account that it is counted for. */
  key: readonly string[]
  max: number
  /** The length of the window in milliseconds. */
  windowMs?: number
}

const quarterOfAnHour = 15 * minute

/** The parts of the context that counting needs. */
type CounterContext = Pick<Context, 'auth' | 'clock'>

/** A limit with the key of its counter in the database. */
interface StoredLimit {
  key: string
  max: number
  windowMs: number
}

const countersBy = compiled((db, p: Params<{ keys: readonly string[]; now: number }>) =>
  db
    .selectFrom('attempts')
    .where(p.isIn('key', 'keys'))
    .where('expires_at', '>', p('now'))
    .select(['key', 'count', 'expires_at']),
)

async function findLimitedUntil(
  queries: Queries,
  limits: readonly StoredLimit[],
  now: number,
): Promise<number | undefined> {
  const maxima = new Map(limits.map(({ key, max }) => [key, max]))
  const rows = await countersBy(queries, { keys: [...maxima.keys()], now })
  const used = rows.filter(({ key, count }) => count >= (maxima.get(key) ?? 0))
  return used.length === 0 ? undefined : Math.max(...used.map(({ expires_at }) => expires_at))
}

/**
 * Returns the time when the last exhausted limit is available again, in milliseconds since 1970; undefined if
 * no limit is exhausted.
 */
export async function limitedUntil(
  ctx: CounterContext,
  queries: Queries,
  limits: readonly AttemptLimit[],
): Promise<number | undefined> {
  return findLimitedUntil(queries, storedLimits(ctx, limits), ctx.clock.now())
}

const incrementCounter = compiled((db, p: Params<{ key: string; now: number; expiresAt: number }>) =>
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

async function incrementCounters(
  tx: Transaction,
  limits: readonly StoredLimit[],
  now: number,
): Promise<void> {
  await Promise.all(
    limits.map(({ key, windowMs }) => incrementCounter(tx, { key, now, expiresAt: now + windowMs })),
  )
}

/**
 * Increments the counters of these limits. The counters are shared by all processes and survive restarts. A
 * window begins with its first attempt.
 */
export async function countAttempt(
  ctx: CounterContext,
  tx: Transaction,
  limits: readonly AttemptLimit[],
): Promise<void> {
  await incrementCounters(tx, storedLimits(ctx, limits), ctx.clock.now())
}

/**
 * Increments the counters unless one of the limits is exhausted.
 * @returns undefined if the attempt is counted; otherwise the time in milliseconds since 1970 when the limit
 *   is available again
 */
export async function tryAttempt(
  ctx: CounterContext,
  tx: Transaction,
  limits: readonly AttemptLimit[],
): Promise<number | undefined> {
  const now = ctx.clock.now()
  const stored = storedLimits(ctx, limits)
  const refusedUntil = await findLimitedUntil(tx, stored, now)
  if (refusedUntil === undefined) await incrementCounters(tx, stored, now)
  return refusedUntil
}

const decrementCounters = compiled((db, p: Params<{ keys: readonly string[] }>) =>
  db
    .updateTable('attempts')
    .set((eb) => ({ count: eb('count', '-', 1) }))
    .where(p.isIn('key', 'keys'))
    .where('count', '>', 0),
)

/** Decrements the counters after a successful attempt. */
export async function refundAttempt(
  ctx: CounterContext,
  tx: Transaction,
  limits: readonly AttemptLimit[],
): Promise<void> {
  await decrementCounters(tx, { keys: storedLimits(ctx, limits).map(({ key }) => key) })
}

const extendCounter = compiled((db, p: Params<{ key: string; expiresAt: number }>) =>
  db
    .insertInto('attempts')
    .values({ key: p('key'), count: 1, expires_at: p('expiresAt') })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ expires_at: p('expiresAt') })),
)

/**
 * Notes that something happened, until the window is over. The window begins anew with every note. With a maximum of 1,
 * `limitedUntil` finds the note.
 */
export async function noteEvent(ctx: CounterContext, tx: Transaction, event: AttemptLimit): Promise<void> {
  const now = ctx.clock.now()
  await Promise.all(
    storedLimits(ctx, [event]).map(({ key, windowMs }) =>
      extendCounter(tx, { key, expiresAt: now + windowMs }),
    ),
  )
}

/** Deletes counters whose window is over. */
export async function deleteExpiredCounters(tx: Transaction, now: number): Promise<void> {
  await tx.deleteFrom('attempts').where('expires_at', '<=', now).execute()
}

/**
 * Computes the database key of each limit with an HMAC. The table must not reveal who tried to sign in and
 * from where, and names and addresses could be guessed from a plain hash.
 */
const storedLimits = ({ auth }: CounterContext, limits: readonly AttemptLimit[]): StoredLimit[] =>
  limits.map(({ key, max, windowMs = quarterOfAnHour }) => ({
    key: createHmac('sha256', auth.attemptSecret).update(JSON.stringify(key)).digest('base64url'),
    max,
    windowMs,
  }))
