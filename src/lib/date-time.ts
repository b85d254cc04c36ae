const dayMilliseconds = 24 * 60 * 60 * 1000

const padded = (length: number) =>
  Array.from({ length: 10 ** length }, (_, number) => String(number).padStart(length, '0'))
const two = padded(2)
const three = padded(3)

/** The day that was written last: what is written together is mostly of one day, and its date is most of the work. */
let last = { day: 0, date: '1970-01-01T' }

/**
 * A moment as it is written in answers: RFC 3339, section 5.6, in UTC with milliseconds.
 * @param time milliseconds since 1970
 */
export function dateTime(time: number): string {
  const day = Math.floor(time / dayMilliseconds)
  if (day !== last.day) last = { day, date: new Date(day * dayMilliseconds).toISOString().slice(0, 11) }
  const ofDay = time - day * dayMilliseconds
  const seconds = Math.floor(ofDay / 1000)
  const minutes = Math.floor(seconds / 60)
  return `${last.date}${two[Math.floor(minutes / 60)]}:${two[minutes % 60]}:${two[seconds % 60]}.${three[ofDay % 1000]}Z`
}

/**
 * The moment that a date-time of RFC 3339 names, in milliseconds since 1970. A leap second counts as the first moment after
 * it, because clocks that count in milliseconds have none.
 */
export function timeOf(text: string): number {
  const time = Date.parse(text)
  return Number.isNaN(time) ? Date.parse(text.replace(/:60(?=[.Zz+-])/, ':59')) + 1000 : time
}
