import type { Clock } from '../../src/lib/clock.ts'
import { day, hour } from '../../src/lib/durations.ts'

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

/**
 * Lets a number of days pass with their jobs, and then the day after which the jobs of scheduled deletions agree that rows
 * are due.
 */
export async function passDays(
  { jobsDone }: { jobsDone(): Promise<void> },
  clock: TestClock,
  days: number,
): Promise<void> {
  for (const time of [days * day, day + hour]) {
    clock.forward(time)
    await jobsDone()
  }
}
