import { hour } from './durations.ts'

/** The source of the current time. Tests replace it to control the time. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** A clock that was ahead by more than this was wrong, so its time is not kept. */
const longestStandstill = hour

/**
 * Returns a clock that stands still while `clock` is up to an hour behind the latest time it has shown. Lists in the order
 * of their dates then stay in the order of the changes, for example after a correction of the system's time.
 * @param latest the latest known time, in milliseconds since 1970
 */
export function steadyClock(clock: Clock, latest = 0): Clock {
  let last = latest
  return {
    now() {
      const now = clock.now()
      if (now >= last || last - now > longestStandstill) last = now
      return last
    },
  }
}
