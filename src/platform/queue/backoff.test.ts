import { describe, expect, it } from 'vitest'
import { backoffMilliseconds } from './backoff.ts'

describe('backoffMilliseconds', () => {
  it('grows with each attempt up to ten minutes', () => {
    expect([1, 2, 3, 4, 5, 50].map((attempt) => backoffMilliseconds(attempt, 0))).toEqual([
      5000, 20_000, 80_000, 320_000, 600_000, 600_000,
    ])
  })

  it('is reduced at random by at most half', () => {
    expect(backoffMilliseconds(1, 0.5)).toBe(3750)
    expect(backoffMilliseconds(1, 1)).toBe(2500)
  })
})
