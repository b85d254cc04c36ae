import { MAX_ENDING_NUMBER } from './limits.ts'
import type { ColumnMarks } from './repeat-marks.ts'

export interface Ending {
  /** The first and the last measure under the bracket, from 0. */
  readonly start: number
  readonly end: number
}

/** The endings of one repeat: consecutive brackets without a gap. */
export interface EndingGroup {
  /** The first and the last measure under its brackets. */
  readonly start: number
  readonly end: number
  /** The ending that is played at each time; none after a lone first ending. */
  readonly endings: ReadonlyMap<number, Ending>
  /** How often the section before them is played. */
  readonly times: number
  /** It is repeated again after a jump. */
  readonly afterJump: boolean
}

/** A measure under a bracket. */
export interface BracketedMeasure {
  readonly group: EndingGroup
  readonly ending: Ending
}

/**
 * Finds the bracket over each measure (MusicXML 4.0, element `ending`). A bracket without a stop ends with
 * its backward repeat, before the next bracket, or after one measure. An ending that stops before its
 * backward repeat reaches to it. A group of brackets is ignored if it
 * does not begin with a first ending, if a number occurs twice, or if an ending except the last one only
 * leads to the next one. Its measures are then played as if there were no brackets.
 */
export function endingsOf(marks: readonly ColumnMarks[]): (BracketedMeasure | undefined)[] {
  const bracketed = new Array<BracketedMeasure | undefined>(marks.length)
  for (const brackets of adjacentBrackets(reachingRepeats(bracketsOf(marks), marks))) {
    const group = groupOf(brackets, marks)
    if (group === undefined) continue
    for (const ending of brackets) bracketed.fill({ group, ending }, ending.start, ending.end + 1)
  }
  return bracketed
}

interface Bracket extends Ending {
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
    else if (open !== undefined && backward !== undefined)
      close(open.numbers.includes(1) ? column : open.start)
  }
  if (open !== undefined) close(open.start)
  return brackets
}

/** Extends each bracket that stops before its backward repeat, up to that repeat. */
function reachingRepeats(brackets: readonly Bracket[], marks: readonly ColumnMarks[]): Bracket[] {
  return brackets.map((bracket, index) => {
    const { start, end, numbers } = bracket
    if (marks.slice(start, end + 1).some(hasBackwardRepeat)) return bracket
    const next = brackets[index + 1]
    for (let column = end + 1; column < (next?.start ?? marks.length) && !marks[column]?.forward; column++) {
      if (marks[column]?.backward === undefined) continue
      const isBeforeNext = next?.start === column + 1 && !next.numbers.includes(1)
      return numbers.includes(1) || isBeforeNext ? { ...bracket, end: column } : bracket
    }
    return bracket
  })
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
  const [first] = brackets
  const last = brackets.at(-1)
  if (first === undefined || last === undefined || !first.numbers.includes(1)) return undefined
  const bracketOf = new Map<number, Bracket>()
  let largest = 1
  for (const bracket of brackets) {
    if (bracket.numbers.length === 0) return undefined
    for (const number of bracket.numbers) {
      if (bracketOf.has(number) || number > MAX_ENDING_NUMBER) return undefined
      bracketOf.set(number, bracket)
      largest = Math.max(largest, number)
    }
  }
  const skipping = brackets.length === 1 ? brackets : brackets.slice(0, -1)
  if (!skipping.every(({ end }) => hasBackwardRepeat(marks[end]))) return undefined

  // "1" and "3" leave the second time to the first.
  const endings = new Map<number, Ending>()
  let bracket = first
  for (let time = 1; time <= largest; time++) {
    bracket = bracketOf.get(time) ?? bracket
    endings.set(time, bracket)
  }
  return {
    start: first.start,
    end: last.end,
    endings,
    // After a lone first ending the music continues the last time.
    times: brackets.length === 1 ? largest + 1 : largest,
    afterJump: brackets.some(({ end }) => marks[end]?.backward?.afterJump === true),
  }
}

function hasBackwardRepeat(column: ColumnMarks | undefined): boolean {
  return column?.backward !== undefined || column?.daCapo !== undefined || column?.dalSegno !== undefined
}
