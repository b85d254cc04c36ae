import { expect, it } from 'vitest'
import { keyOfDay, keyOfMonth, monthOfKey, weeksOf } from './month.ts'

it.each([
  // November 2026 begins on a Sunday.
  [2026, 10, 1, 6, '2026-10-26', '2026-12-06'],
  [2026, 10, 0, 5, '2026-11-01', '2026-12-05'],
  // February 2027 begins on a Monday, and has four weeks.
  [2027, 1, 1, 4, '2027-02-01', '2027-02-28'],
  [2028, 1, 1, 5, '2028-01-31', '2028-03-05'],
])(
  'the weeks of %i-%i, from day %i, are %i whole weeks from %s to %s',
  (year, month, first, count, from, to) => {
    const weeks = weeksOf(year, month, first)
    expect(weeks.map((week) => week.length)).toEqual(Array.from({ length: count }, () => 7))
    const days = weeks.flat().map(keyOfDay)
    expect([days[0], days.at(-1), new Set(days).size]).toEqual([from, to, count * 7])
  },
)

it('steps from month to month by keys', () => {
  expect(keyOfMonth(2026, 12)).toBe('2027-01')
  expect(keyOfMonth(2026, -1)).toBe('2025-12')
  expect(monthOfKey('2026-11')).toEqual([2026, 10])
  for (const text of ['', '2026-13', '2026-1', 'x', '20261-01']) expect(monthOfKey(text)).toBeUndefined()
})
