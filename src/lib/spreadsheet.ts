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
 * Puts an apostrophe before a text that a spreadsheet would evaluate as a formula (OWASP, CSV Injection). Not needed for
 * cells that are numbers.
 */
export const escapeFormula = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)
