import { day as dayMilliseconds } from './durations.ts'

const paddedNumbers = (length: number) =>
  Array.from({ length: 10 ** length }, (_, number) => String(number).padStart(length, '0'))
const twoDigits = paddedNumbers(2)
const threeDigits = paddedNumbers(3)

/** The last formatted date. Times in one response are often of the same day, and formatting the date is the slow part. */
let last = { day: 0, date: '1970-01-01T' }

/**
 * Formats a time for a response: RFC 3339, section 5.6, in UTC with milliseconds.
 * @param time milliseconds since 1970
 */
export function dateTime(time: number): string {
  const day = Math.floor(time / dayMilliseconds)
  if (day !== last.day) last = { day, date: new Date(day * dayMilliseconds).toISOString().slice(0, 11) }
  const timeOfDay = time - day * dayMilliseconds
  const seconds = Math.floor(timeOfDay / 1000)
  const minutes = Math.floor(seconds / 60)
  return `${last.date}${twoDigits[Math.floor(minutes / 60)]}:${twoDigits[minutes % 60]}:${twoDigits[seconds % 60]}.${threeDigits[timeOfDay % 1000]}Z`
}

/**
 * Parses a date-time of RFC 3339. A leap second is read as the second after it, because Unix time has no leap seconds.
 * @returns milliseconds since 1970
 */
export function parseDateTime(text: string): number {
  const time = Date.parse(text)
  return Number.isNaN(time) ? Date.parse(text.replace(/:60(?=[.Zz+-])/, ':59')) + 1000 : time
}
