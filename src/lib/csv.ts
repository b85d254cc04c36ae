import { stringify } from 'csv-stringify/sync'
import { dateTime } from './date-time.ts'
import { type Cell, escapeFormula, Moment, type Table } from './spreadsheet.ts'

/** Some programs recognize UTF-8 only by a byte order mark. */
const byteOrderMark = '\uFEFF'

/**
 * Writes a table as CSV (RFC 4180) in UTF-8 with a byte order mark. Moments are RFC 3339 in UTC. Text that a spreadsheet would
 * read as a formula gets an apostrophe in front, by the rule that workbooks share (`escapeFormula`).
 * @returns the text in pieces, one for each batch of rows
 */
export async function* csvOf({ columns, rows }: Table): AsyncGenerator<string> {
  yield byteOrderMark + linesOf([columns])
  for await (const batch of rows) yield linesOf(batch)
}

function linesOf(rows: readonly (readonly Cell[])[]): string {
  const fields = rows.map((cells) => cells.map(fieldOf))
  return stringify(fields, { record_delimiter: 'windows', quoted_match: /[\r\n]/ })
}

function fieldOf(cell: Cell): string {
  if (cell === undefined) return ''
  if (typeof cell === 'number') return String(cell)
  return cell instanceof Moment ? dateTime(cell.time) : escapeFormula(cell)
}
