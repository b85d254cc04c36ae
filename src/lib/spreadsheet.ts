/** What stands in a cell: text, a number, a moment (milliseconds since 1970), or nothing. */
export type Cell = string | number | Moment | undefined

/** A moment, told from a number by its type. */
export class Moment {
  readonly time: number

  /** @param time milliseconds since 1970 */
  constructor(time: number) {
    this.time = time
  }
}

/** A table to be written: what its columns are called, and its rows in portions, so that it need not be held as a whole. */
export interface Table {
  readonly columns: readonly string[]
  readonly rows: AsyncIterable<readonly (readonly Cell[])[]>
}

/**
 * A text that no spreadsheet takes for a formula: an apostrophe before what begins as one does (OWASP, CSV Injection).
 * What is a number is not a text, and is not changed.
 */
export const harmless = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)
