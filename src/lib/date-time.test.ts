import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dateTime } from './date-time.ts'

it('formats every time as RFC 3339 in UTC with milliseconds', () => {
  const moment = fc.integer({ min: -(2 ** 45), max: 2 ** 46 })
  fc.assert(fc.property(moment, (time) => dateTime(time) === new Date(time).toISOString()))
})

it.each([0, -1, 86_399_999, 86_400_000, 951_782_400_000])('formats %i at the boundary of a day', (time) => {
  expect(dateTime(time)).toBe(new Date(time).toISOString())
})
