import { type AttemptLimit, tryAttempt } from './attempt-limits.store.ts'
import type { Context } from '../../context.ts'

/**
 * Counts an attempt. Returns undefined if it is permitted, and otherwise the number of seconds until the next
 * one is.
 */
export async function secondsUntilNextAttempt(
  ctx: Context,
  limits: readonly AttemptLimit[],
): Promise<number | undefined> {
  const now = ctx.clock.now()
  const until = await ctx.transaction((tx) => tryAttempt(ctx, tx, limits))
  return until === undefined ? undefined : Math.ceil((until - now) / 1000)
}

export const minutesOf = (seconds: number): { minutes: number } => ({ minutes: Math.ceil(seconds / 60) })
