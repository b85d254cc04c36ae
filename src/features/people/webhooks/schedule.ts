import { day, hour, minute, second } from '../../../lib/durations.ts'

/** The delays before the attempts after the first one, 75.6 hours together. */
const delays = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const

/** The longest time for which a receiver can ask to wait. */
const maxRetryAfter = day

/**
 * Returns when a delivery is attempted again, in milliseconds after the failed attempt. Undefined if it was the last one. Up to a
 * fifth is added, so that deliveries that failed together are not repeated together.
 * @param attempt the number of the failed attempt, from 1
 * @param retryAfter what the receiver asked for, in milliseconds
 * @param random from 0 to 1
 */
export function delayAfter(
  attempt: number,
  retryAfter: number | undefined,
  random: number,
): number | undefined {
  const delay = delays[attempt - 1]
  if (delay === undefined) return undefined
  const asked = Math.min(retryAfter ?? 0, maxRetryAfter)
  return Math.round(Math.max(delay, asked) * (1 + random / 5))
}

/**
 * Parses the header Retry-After (RFC 9110, section 10.2.3): seconds or a date. Returns milliseconds.
 * @param now milliseconds since 1970
 */
export function parseRetryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text) * second
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** After this time without a success, an endpoint is turned off. */
export const maxFailing = 5 * day
