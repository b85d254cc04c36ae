/**
 * A moment as it is written in answers: RFC 3339, section 5.6, in UTC with milliseconds.
 * @param time milliseconds since 1970
 */
export function dateTime(time: number): string {
  return new Date(time).toISOString()
}
