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
  const until = await ctx.transaction((tx) => tryAttempt(ctx, tx, limits))
  return until === undefined ? undefined : secondsUntil(ctx, until)
}

/** @param time milliseconds since 1970 */
export const secondsUntil = ({ clock }: Pick<Context, 'clock'>, time: number): number =>
  Math.ceil((time - clock.now()) / 1000)

export const minutesOf = (seconds: number): { minutes: number } => ({ minutes: Math.ceil(seconds / 60) })
