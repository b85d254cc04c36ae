import { minute } from '../../lib/durations.ts'

const firstMilliseconds = 5000
const factor = 4
const maxMilliseconds = 10 * minute

/**
 * Returns the delay before the next attempt: 5 s, 20 s, 80 s, … up to 10 minutes, reduced by a random part of up to half, so
 * that jobs that failed together are not retried together.
 * @param attempt the number of the failed attempt, from 1
 * @param random from 0 to 1, such as a value of `Math.random`
 */
export function backoffMilliseconds(attempt: number, random: number): number {
  const delay = Math.min(maxMilliseconds, firstMilliseconds * factor ** (attempt - 1))
  return Math.round(delay * (1 - random / 2))
}
