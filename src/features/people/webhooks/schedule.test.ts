import { expect, it } from 'vitest'
import { day, hour, second } from '../../../lib/durations.ts'
import { delayAfter, parseRetryAfter } from './schedule.ts'

it('repeats a delivery nine times within three to four days, each time later', () => {
  const delays = (random: number) =>
    Array.from({ length: 9 }, (_, index) => delayAfter(index + 1, undefined, random) ?? Number.NaN)
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  expect(delays(0)).toEqual([...delays(0)].sort((a, b) => a - b))
  expect([sum(delays(0)) > 3 * day, sum(delays(1)) < 4 * day]).toEqual([true, true])
  expect(delayAfter(10, undefined, 0)).toBeUndefined()
})

it('waits as long as the receiver asks, but at most a day', () => {
  expect(delayAfter(1, hour, 0)).toBe(hour)
  expect(delayAfter(4, second, 0)).toBe(2 * hour)
  expect(delayAfter(1, 90 * day, 0)).toBe(day)
})

it('reads seconds and dates', () => {
  const now = Date.UTC(2026, 8, 1, 12)
  expect(parseRetryAfter('120', now)).toBe(120_000)
  expect(parseRetryAfter('Tue, 01 Sep 2026 12:00:30 GMT', now)).toBe(30_000)
  expect(parseRetryAfter('Tue, 01 Sep 2026 11:00:00 GMT', now)).toBe(0)
  expect([parseRetryAfter('soon', now), parseRetryAfter(undefined, now)]).toEqual([undefined, undefined])
})
