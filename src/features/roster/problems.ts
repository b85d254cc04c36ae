import { fail } from '../../errors.ts'

/** Where something stands in a roster. */
export interface Place {
  file: string
  line: number
}

/** What is wrong with a roster: all of it is found before anything is written. */
export interface Problems {
  /** @param column as the file calls it */
  add(place: Place, column: string | undefined, why: string): void
  /** What is wrong with no line in particular. */
  addOverall(why: string): void
  /** @throws INVALID_PARAMETER where there were some */
  check(): void
}

/** More of them help nobody. */
const mostNamed = 20

export function rosterProblems(): Problems {
  const named: string[] = []
  let count = 0
  const note = (problem: string) => {
    count += 1
    if (count <= mostNamed) named.push(problem)
  }
  return {
    add: ({ file, line }, column, why) => note(`${file}, line ${line}${column ? `, ${column}` : ''}: ${why}`),
    addOverall: note,
    check() {
      if (count === 0) return
      if (count > mostNamed) named.push(`and ${count - mostNamed} more`)
      fail('INVALID_PARAMETER', { message: `Nothing was changed. Mend this first:\n  ${named.join('\n  ')}` })
    },
  }
}
