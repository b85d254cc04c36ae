import { dateTime } from './date-time.ts'
import { type Cell, harmless, Moment, type Table } from './spreadsheet.ts'

/** Without it, some programs do not read UTF-8. */
const byteOrderMark = '\uFEFF'

/**
 * A table as RFC 4180 has it, in UTF-8 with a byte order mark; moments are RFC 3339 in UTC, and text that begins as a
 * formula does has an apostrophe before it.
 * @returns pieces of the text, one for each portion of rows
 */
export async function* csvOf({ columns, rows }: Table): AsyncGenerator<string> {
  yield byteOrderMark + lineOf(columns)
  for await (const portion of rows) yield portion.map(lineOf).join('')
}

const lineOf = (cells: readonly Cell[]): string => `${cells.map(fieldOf).join(',')}\r\n`

function fieldOf(cell: Cell): string {
  if (cell === undefined) return ''
  if (typeof cell === 'number') return String(cell)
  if (cell instanceof Moment) return dateTime(cell.time)
  const text = harmless(cell)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
