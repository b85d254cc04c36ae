import { hour } from './durations.ts'

/**
 * A sum of numbers that are forgotten some time after they were added, hour by hour. The text is a JSON array of pairs: the
 * hour since 1970 and the sum of its numbers. It has at most one pair for each hour of the window, and one more.
 */
export type HourlySum = string

export const emptyHourlySum: HourlySum = '[]'

type Pairs = [hour: number, amount: number][]

/**
 * @param now milliseconds since 1970
 * @param windowMs how long each number counts, in milliseconds; it can count up to an hour longer
 */
interface Window {
  readonly now: number
  readonly windowMs: number
}

/** Returns the sum of the numbers that still count. */
export const totalOf = (sum: HourlySum, window: Window): number =>
  recentPairs(sum, window).reduce((total, [, amount]) => total + amount, 0)

/** Returns the sum with one more number, and without those that no longer count. */
export function addToHourlySum(sum: HourlySum, amount: number, window: Window): HourlySum {
  const pairs = new Map(recentPairs(sum, window))
  const present = Math.floor(window.now / hour)
  pairs.set(present, (pairs.get(present) ?? 0) + amount)
  return JSON.stringify([...pairs])
}

function recentPairs(sum: HourlySum, { now, windowMs }: Window): Pairs {
  if (sum === emptyHourlySum) return []
  return (JSON.parse(sum) as Pairs).filter(([since]) => (since + 1) * hour > now - windowMs)
}
