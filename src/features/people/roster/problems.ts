import { fail } from '../../../errors.ts'

/** The position of a row in the files of a roster. */
export interface RowLocation {
  file: string
  line: number
}

/** The problems of a roster. All of them are found before the first write. */
export interface Problems {
  /** @param column name of the column in the file */
  add(place: RowLocation, column: string | undefined, problem: string): void
  /** Adds a problem of the roster as a whole. */
  addOverall(problem: string): void
  /** @throws INVALID_PARAMETER if there are problems */
  check(): void
}

/** The error message names at most this many problems. */
const maxNamedProblems = 20

export function rosterProblems(): Problems {
  const named: string[] = []
  let count = 0
  const note = (problem: string) => {
    count += 1
    if (count <= maxNamedProblems) named.push(problem)
  }
  return {
    add: ({ file, line }, column, problem) =>
      note(`${file}, line ${line}${column ? `, ${column}` : ''}: ${problem}`),
    addOverall: note,
    check() {
      if (count === 0) return
      if (count > maxNamedProblems) named.push(`and ${count - maxNamedProblems} more`)
      fail('INVALID_PARAMETER', {
        message: `Nothing was changed. Fix these problems first:\n  ${named.join('\n  ')}`,
      })
    },
  }
}
