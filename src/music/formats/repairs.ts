/** A change that a reader made to a faulty file so that the score could be read. */
export interface Repair {
  /** The line in the file, from 1. Null if the repair belongs to no line. */
  readonly line: number | null
  /** What was wrong and what was done, as a sentence. */
  readonly message: string
}

/** The repairs that are kept of one file. A fault is often repeated in each measure. */
export const MAX_REPAIRS = 100

/** Collects the repairs of one file. */
export interface Repairs {
  /** At most `MAX_REPAIRS`, in the order in which they were made. */
  readonly list: readonly Repair[]
  /** The number of all repairs. */
  readonly count: number
  /** @param lineOf returns the line. It is called only if the repair is kept. */
  add(message: string, lineOf?: () => number): void
}

export function createRepairs(): Repairs {
  const list: Repair[] = []
  let count = 0
  return {
    list,
    get count() {
      return count
    },
    add(message, lineOf) {
      count += 1
      if (list.length < MAX_REPAIRS) list.push({ line: lineOf?.() ?? null, message })
    },
  }
}
