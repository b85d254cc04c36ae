/** An event of a calendar that takes no time, such as the date on which work is due. */
export interface CalendarMoment {
  /** Unique in the world, and the same whenever the calendar is made again. */
  readonly uid: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** When the event was changed, in milliseconds since 1970. */
  readonly changedAt: number
  readonly summary: string
  readonly description?: string
  readonly url: string
}

/**
 * Writes a calendar in the iCalendar format (RFC 5545): times in UTC, lines of at most 75 bytes.
 * @param name the name under which a program shows the calendar
 * @param readAgain the hours after which a program that follows the calendar should read it again (RFC 7986, section 5.7); undefined
 *   for a file that is imported once
 */
export function icalendarOf(name: string, moments: readonly CalendarMoment[], readAgain?: number): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Partita//Partita//EN',
    `X-WR-CALNAME:${escaped(name)}`,
    ...(readAgain === undefined
      ? []
      : // Programs of Microsoft know only the second one.
        [`REFRESH-INTERVAL;VALUE=DURATION:PT${readAgain}H`, `X-PUBLISHED-TTL:PT${readAgain}H`]),
    ...moments.flatMap(eventLines),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

const eventLines = ({ uid, at, changedAt, summary, description, url }: CalendarMoment): string[] => [
  'BEGIN:VEVENT',
  `UID:${escaped(uid)}`,
  `DTSTAMP:${utc(changedAt)}`,
  `DTSTART:${utc(at)}`,
  `SUMMARY:${escaped(summary)}`,
  ...(description === undefined ? [] : [`DESCRIPTION:${escaped(description)}`]),
  `URL:${url}`,
  'END:VEVENT',
]

/** `20261123T180000Z` (RFC 5545, section 3.3.5). */
const utc = (time: number): string =>
  new Date(time).toISOString().replaceAll(/[-:]/g, '').replace(/\.\d+/, '')

/** Escapes a text (section 3.3.11). Control characters are not allowed in it. */
const escaped = (text: string): string =>
  text
    .replaceAll(/[\\;,]/g, (character) => `\\${character}`)
    .replaceAll(/\r\n|\r|\n/g, '\\n')
    .replaceAll(/\p{Cc}/gu, ' ')

const longestLine = 75

/** Folds a line (section 3.1). No character is divided, although the limit counts bytes. */
function folded(line: string): string {
  let result = ''
  let bytes = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (bytes + size > longestLine) {
      result += '\r\n '
      bytes = 1
    }
    result += character
    bytes += size
  }
  return result
}
