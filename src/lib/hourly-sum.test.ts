import { expect, it } from 'vitest'
import { day, hour, minute } from './durations.ts'
import { addToHourlySum, emptyHourlySum, totalOf } from './hourly-sum.ts'

const windowMs = 2 * day
const start = 1_900_000 * hour

it('forgets each hour by itself, after the window and at most an hour later', () => {
  let sum = emptyHourlySum
  const add = (now: number, amount: number) => {
    sum = addToHourlySum(sum, amount, { now, windowMs })
  }
  const total = (now: number) => totalOf(sum, { now, windowMs })
  expect(total(start)).toBe(0)
  add(start + 5 * minute, 10)
  add(start + 50 * minute, 1)
  add(start + 47 * hour, 100)
  expect(total(start + 48 * hour)).toBe(111)
  expect(total(start + 49 * hour - 1)).toBe(111)
  expect(total(start + 49 * hour)).toBe(100)
  expect(total(start + 96 * hour - 1)).toBe(100)
  expect(total(start + 96 * hour)).toBe(0)
})

it('stays as small as its window, however many numbers are added', () => {
  let sum = emptyHourlySum
  for (let n = 0; n < 2000; n++) {
    sum = addToHourlySum(sum, 2 ** 40, { now: start + n * 20 * minute, windowMs })
  }
  expect(JSON.parse(sum)).toHaveLength(49)
  expect(sum.length).toBeLessThan(1200)
})
