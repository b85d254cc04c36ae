/** The value of a cell: text, a number or a time. An empty cell is undefined. */
export type Cell = string | number | Moment | undefined

/** A time, as a type that differs from a number. */
export class Moment {
  readonly time: number

  /** @param time milliseconds since 1970 */
  constructor(time: number) {
    this.time = time
  }
}

/** A table to write. The rows are read in batches, so that the whole table is never in memory. */
export interface Table {
  /** The names of the columns. */
  readonly columns: readonly string[]
  readonly rows: AsyncIterable<readonly (readonly Cell[])[]>
}

/**
 * Signs that begin a formula: ASCII, full width, and the mathematical minus. A program may read a file with another
 * separator, so a sign counts at the start of the text and after a semicolon, a tab or a line break. Spaces, invisible
 * characters and quotation marks before it do not count.
 */
const formulaStart = /(^|[;\t\r\n])((?:[^\S\t\r\n]|[\p{Cf}"])*)(?=[=+\-@＝＋－＠−])/gu

/**
 * Puts an apostrophe before each part of a text that a spreadsheet could evaluate as a formula, in every locale (OWASP, CSV
 * Injection). Not needed for cells that are numbers.
 * @example escapeFormula('a; =1+1') // "a;' =1+1"
 */
export const escapeFormula = (text: string): string => text.replaceAll(formulaStart, "$1'$2")
