import { expect, it } from 'vitest'
import { percentOff } from './days-late.ts'

const due = Date.parse('2026-11-23T18:00:00Z')
const hours = (count: number) => due + count * 3_600_000

it.each([
  [{}, 100, 0],
  [{ percentPerDay: 10 }, -1, 0],
  [{ percentPerDay: 10 }, 0, 0],
  [{ percentPerDay: 10 }, 1, 10],
  [{ percentPerDay: 10 }, 24, 10],
  [{ percentPerDay: 10 }, 25, 20],
  [{ percentPerDay: 10, minimumPercent: 50 }, 240, 50],
  [{ percentPerDay: 60 }, 240, 100],
])('with the policy %o, work that is %i hours late loses %i percent', (policy, late, percent) => {
  expect(percentOff(policy, due, hours(late))).toBe(percent)
})
