import type { Clock } from '../../src/lib/clock.ts'

/** A clock that advances only when a test calls `forward`. */
export interface TestClock extends Clock {
  forward(milliseconds: number): void
}

export function testClock(start = '2030-01-07T08:00:00.000Z'): TestClock {
  let now = Date.parse(start)
  return {
    now: () => now,
    forward(milliseconds) {
      now += milliseconds
    },
  }
}
