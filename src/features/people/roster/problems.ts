import { fail } from '../../../errors.ts'

/** The position of a row in the files of a roster. */
export interface RowLocation {
  file: string
  line: number
}

/** A problem of a roster, or of one of its lines. */
interface FoundProblem extends Partial<RowLocation> {
  column?: string
  problem: string
}

/** The problems of a roster. All of them are found before the first write. */
export interface Problems {
  /** @param column name of the column in the file */
  add(place: RowLocation, column: string | undefined, problem: string): void
  /** Adds a problem of the roster as a whole. */
  addOverall(problem: string): void
  /** @throws INVALID_PARAMETER if there are problems */
  check(): void
  /** Returns the first problems, and the number of all. */
  found(): { count: number; first: FoundProblem[] }
}

/** The error message names at most this many problems. */
const maxNamedProblems = 20
/** A list of problems has at most this many. */
const maxListedProblems = 200

export function rosterProblems(): Problems {
  const named: string[] = []
  const first: FoundProblem[] = []
  let count = 0
  const note = (problem: string, found: FoundProblem) => {
    count += 1
    if (count <= maxListedProblems) first.push(found)
    if (count <= maxNamedProblems) named.push(problem)
  }
  return {
    add: ({ file, line }, column, problem) =>
      note(`${file}, line ${line}${column ? `, ${column}` : ''}: ${problem}`, {
        file,
        line,
        ...(column && { column }),
        problem,
      }),
    addOverall: (problem) => note(problem, { problem }),
    found: () => ({ count, first }),
    check() {
      if (count === 0) return
      if (count > maxNamedProblems) named.push(`and ${count - maxNamedProblems} more`)
      fail('INVALID_PARAMETER', {
        message: `Nothing was changed. Fix these problems first:\n  ${named.join('\n  ')}`,
      })
    },
  }
}
