import { minute } from './durations.ts'

/** Returns by how many milliseconds the clocks of a time zone are ahead of UTC at a time in milliseconds since 1970. */
function offsetAt(time: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).formatToParts(time)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  // `GMT+05:30`; `GMT` without an offset.
  const [, sign, hours = 0, minutes = 0] = /([+-])(\d+):(\d+)/.exec(name) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * minute
}

/** The moment of a day at which the clocks of a time zone show an hour. */
interface ClockHour {
  /** The day, counted from that of `now`: 0 is today, 1 is tomorrow. */
  readonly day: number
  /** From 0 to 23. If the clocks skip the hour, the hour after it counts. */
  readonly hour: number
}

/** Returns the time of an hour of a day in a time zone, in milliseconds since 1970. */
export function clockHour(now: number, timeZone: string, { day, hour }: ClockHour): number {
  const today = new Date(now + offsetAt(now, timeZone))
  const shown = Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate() + day, hour)
  const guess = shown - offsetAt(now, timeZone)
  return shown - offsetAt(shown - offsetAt(guess, timeZone), timeZone)
}

/**
 * Returns the latest time, at or before `now`, at which the clocks of a time zone show an hour.
 * @param weekday only on this day of the week: 0 for Sunday, 1 for Monday
 */
export function latestClockHour(
  now: number,
  timeZone: string,
  { hour, weekday }: { hour: number; weekday?: number },
): number {
  for (let day = 0; ; day--) {
    const time = clockHour(now, timeZone, { day, hour })
    const isDay = weekday === undefined || new Date(time + offsetAt(time, timeZone)).getUTCDay() === weekday
    if (time <= now && isDay) return time
  }
}
