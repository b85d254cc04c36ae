import { expect, it } from 'vitest'
import { greatestCommonDivisor, placeAt } from './numbers.ts'

it('greatestCommonDivisor divides both numbers', () => {
  expect([greatestCommonDivisor(12, 18), greatestCommonDivisor(7, 5), greatestCommonDivisor(6, 0)]).toEqual([
    6, 1, 6,
  ])
})

it('placeAt finds the last value that is not above the limit', () => {
  expect([-1, 0, 5, 10, 11].map((limit) => placeAt([0, 5, 5, 10], limit))).toEqual([-1, 0, 2, 3, 3])
})
