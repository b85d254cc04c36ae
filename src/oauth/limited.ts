import { type Allowance, tryCount } from '../features/sessions/attempts.ts'
import type { Context } from '../operation.ts'

/** Counts something that may be done so often only. In how many seconds it may be done again, where it may not be now. */
export async function secondsUntilAllowed(ctx: Context, allowances: readonly Allowance[]): Promise<number | undefined> {
  const now = ctx.clock.now()
  const until = await ctx.transaction((tx) => tryCount(ctx, tx, allowances))
  return until === undefined ? undefined : Math.ceil((until - now) / 1000)
}

export const minutesOf = (seconds: number): { minutes: number } => ({ minutes: Math.ceil(seconds / 60) })
