import type { ColumnMarks } from './repeat-marks.ts'

export interface Ending {
  /** The first and the last measure under the bracket, from 0. */
  readonly start: number
  readonly end: number
  /** The times at which it is played. */
  readonly numbers: ReadonlySet<number>
}

/** The endings of one repeat: brackets that follow one another without a gap. */
export interface EndingGroup {
  readonly endings: readonly Ending[]
  /** How often the section before them is played. */
  readonly times: number
  /** It is repeated again after a jump. */
  readonly afterJump: boolean
}

/**
 * The groups of endings that make sense, each at all the measures that lie under its brackets (MusicXML 4.0, element
 * `ending`). A bracket that never stops ends with its backward repeat, before the next bracket, or after one measure.
 * A group is ignored, and its measures are played as if there were no brackets, when it does not begin with a first
 * ending, when a number comes twice, or when an ending but the last leads nowhere else than to the next one.
 */
export function endingGroupsOf(marks: readonly ColumnMarks[]): (EndingGroup | undefined)[] {
  const groups = new Array<EndingGroup | undefined>(marks.length)
  for (const brackets of adjacentBrackets(bracketsOf(marks))) {
    const group = groupOf(brackets, marks)
    if (group === undefined) continue
    for (const { start, end } of brackets) groups.fill(group, start, end + 1)
  }
  return groups
}

interface Bracket {
  readonly start: number
  readonly end: number
  readonly numbers: readonly number[]
}

function bracketsOf(marks: readonly ColumnMarks[]): Bracket[] {
  const brackets: Bracket[] = []
  let open: { start: number; numbers: readonly number[] } | undefined
  const close = (end: number) => {
    if (open !== undefined) brackets.push({ ...open, end })
    open = undefined
  }
  for (const [column, { ending, backward, forward }] of marks.entries()) {
    if (open !== undefined && ending.starts !== undefined) close(column - 1)
    else if (open !== undefined && forward) close(open.start)
    if (ending.starts !== undefined) open = { start: column, numbers: ending.starts }
    if (ending.stops) close(column)
    else if (open !== undefined && backward !== undefined) close(open.numbers.includes(1) ? column : open.start)
  }
  if (open !== undefined) close(open.start)
  return brackets
}

function adjacentBrackets(brackets: readonly Bracket[]): Bracket[][] {
  const groups: Bracket[][] = []
  let last: Bracket | undefined
  for (const bracket of brackets) {
    if (last?.end === bracket.start - 1) groups.at(-1)?.push(bracket)
    else groups.push([bracket])
    last = bracket
  }
  return groups
}

function groupOf(brackets: readonly Bracket[], marks: readonly ColumnMarks[]): EndingGroup | undefined {
  const numbers = brackets.flatMap((bracket) => bracket.numbers)
  const isFirst = brackets[0]?.numbers.includes(1) === true
  if (!isFirst || new Set(numbers).size < numbers.length) return undefined
  if (brackets.some((bracket) => bracket.numbers.length === 0)) return undefined
  const leaving = brackets.length === 1 ? brackets : brackets.slice(0, -1)
  if (!leaving.every(({ end }) => leadsBack(marks[end]))) return undefined
  const largest = numbers.reduce((most, number) => Math.max(most, number), 1)
  return {
    endings: brackets.map((bracket) => ({ ...bracket, numbers: timesOf(bracket, numbers, largest) })),
    // After a lone first ending the music simply goes on at the last time.
    times: brackets.length === 1 ? largest + 1 : largest,
    afterJump: brackets.some(({ end }) => marks[end]?.backward?.afterJump === true),
  }
}

function leadsBack(column: ColumnMarks | undefined): boolean {
  return column?.backward !== undefined || column?.daCapo !== undefined || column?.dalSegno !== undefined
}

/** Its own numbers, and those after them that no bracket has: "1" and "3" leave the second time to the first. */
function timesOf(bracket: Bracket, numbers: readonly number[], largest: number): Set<number> {
  const times = new Set<number>()
  for (const number of bracket.numbers) {
    let time = number
    do times.add(time++)
    while (time <= largest && !numbers.includes(time))
  }
  return times
}
