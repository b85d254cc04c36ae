import { placeAt } from '../../lib/numbers.ts'
import { type JumpPlan, plainPlan } from './jump-words.ts'
import { MAX_JUMPS, tooMuch } from './limits.ts'
import type { ColumnMarks, Jump } from './repeat-marks.ts'

/** The jumps of a score, and which of them were made, for one pass through it. */
export interface Jumps {
  /** Whether a measure was played before the last jump back. */
  isReplayed(column: number): boolean
  /** Whether a jump back at the end of a measure names this time (`time-only`). */
  isNamed(column: number, occurrence: number): boolean
  /** The next place after a measure: a measure, the end, or undefined for the following measure. */
  after(column: number, occurrence: number, occurrences: readonly number[]): number | 'end' | undefined
}

/**
 * Makes D.C., D.S., To Coda and Fine when they are due (MusicXML 4.0, element `sound`: `dacapo`, `dalsegno`,
 * `tocoda`, `fine` and `time-only`). A D.S. goes to the nearest sign before it, a To Coda to the nearest coda
 * after it.
 * @throws INVALID_MUSICXML above MAX_JUMPS
 */
export function jumpsOf(marks: readonly ColumnMarks[], numbers: readonly string[]): Jumps {
  const segnos = signsOf(marks, 'segno')
  const codas = signsOf(marks, 'coda')
  const madeJumps = new Set<Jump>()
  const madeToCodas = new Set<Jump>()
  let jumpsMade = 0
  let playedBefore: readonly number[] = []
  /** What ends playing since the last jump back. Undefined before any jump. */
  let plan: JumpPlan | undefined

  const isDue = (jump: Jump, occurrence: number, byDefault: boolean) =>
    jump.timeOnly === undefined ? byDefault : jump.timeOnly.includes(occurrence)

  return {
    isReplayed: (column) => (playedBefore[column] ?? 0) > 0,
    isNamed(column, occurrence) {
      const { daCapo, dalSegno } = marks[column] ?? {}
      return [dalSegno, daCapo].some((jump) => jump?.timeOnly?.includes(occurrence))
    },
    after(column, occurrence, occurrences) {
      const { fine, toCoda, daCapo, dalSegno } = marks[column] ?? {}
      const isLast =
        (fine && isDue(fine, occurrence, plan?.until === 'fine' || plan?.until === 'either')) ||
        (plan?.until === 'segno' && isUpToSegno(marks, column))
      if (isLast) {
        const [coda] = codas.all.slice(placeAt(codas.all, column) + 1)
        if (!plan?.thenCoda || coda === undefined) return 'end'
        plan = plainPlan
        return coda
      }
      const isToCoda = plan?.until === 'coda' || plan?.until === 'either'
      if (toCoda && !madeToCodas.has(toCoda) && isDue(toCoda, occurrence, isToCoda)) {
        const places = named(codas, toCoda.label)
        const coda = places[placeAt(places, column) + 1] ?? places[0]
        if (coda !== undefined) {
          madeToCodas.add(toCoda)
          plan = plainPlan
          return coda
        }
      }
      for (const jump of [dalSegno, daCapo]) {
        if (jump === undefined || !isDue(jump, occurrence, !madeJumps.has(jump))) continue
        const places = jump === daCapo ? [0] : named(segnos, jump.label)
        const start = places[placeAt(places, column)] ?? places[0]
        if (start === undefined) continue
        jumpsMade += 1
        if (jumpsMade > MAX_JUMPS) tooMuch(`jumps back more than ${MAX_JUMPS} times`, numbers[column] ?? '')
        madeJumps.add(jump)
        madeToCodas.clear()
        plan = jump
        playedBefore = jump.withRepeats ? [] : occurrences.slice()
        return start
      }
      return undefined
    },
  }
}

/** Whether a measure is the last one before a segno, or has one that is not at its start. */
function isUpToSegno(marks: readonly ColumnMarks[], column: number): boolean {
  const [here, next] = [marks[column], marks[column + 1]]
  if (here?.segno !== undefined && here.isSegnoLate) return true
  return next?.segno !== undefined && !next.isSegnoLate
}

/** The places of the signs of one kind, in score order. */
interface Signs {
  readonly all: readonly number[]
  readonly byName: ReadonlyMap<string, readonly number[]>
}

function signsOf(marks: readonly ColumnMarks[], sign: 'segno' | 'coda'): Signs {
  const all: number[] = []
  const byName = new Map<string, number[]>()
  for (const [column, { [sign]: name }] of marks.entries()) {
    if (name === undefined) continue
    all.push(column)
    const ofName = byName.get(name)
    if (ofName === undefined) byName.set(name, [column])
    else ofName.push(column)
  }
  return { all, byName }
}

/** The measures with the sign of that name, or with any sign when there is none of it. */
function named({ all, byName }: Signs, name: string): readonly number[] {
  return byName.get(name) ?? all
}
