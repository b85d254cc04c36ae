/** An event of a calendar that takes no time, such as the date on which work is due. */
export interface CalendarMoment {
  /** Unique in the world, and the same whenever the calendar is made again. */
  readonly uid: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly summary: string
  readonly description: string
  readonly url: string
}

/**
 * Writes a calendar in the iCalendar format (RFC 5545): times in UTC, lines of at most 75 bytes.
 * @param name the name under which a program shows the calendar
 * @param now the time of writing, in milliseconds since 1970
 */
export function icalendarOf(name: string, moments: readonly CalendarMoment[], now: number): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Partita//Partita//EN',
    `X-WR-CALNAME:${escaped(name)}`,
    ...moments.flatMap((moment) => eventLines(moment, now)),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

const eventLines = ({ uid, at, summary, description, url }: CalendarMoment, now: number): string[] => [
  'BEGIN:VEVENT',
  `UID:${escaped(uid)}`,
  `DTSTAMP:${utc(now)}`,
  `DTSTART:${utc(at)}`,
  `SUMMARY:${escaped(summary)}`,
  `DESCRIPTION:${escaped(description)}`,
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
