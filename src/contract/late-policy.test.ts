import { expect, it } from 'vitest'
import { acceptedUntil } from './late-policy.ts'

const due = Date.parse('2026-11-23T18:00:00Z')
const hours = (count: number) => due + count * 3_600_000

it('accepts work for a number of days, or without an end', () => {
  expect(acceptedUntil(due, {})).toBeUndefined()
  expect(acceptedUntil(due, { acceptDays: 0 })).toBe(due)
  expect(acceptedUntil(due, { acceptDays: 2 })).toBe(hours(48))
})
