import { type Measure, QUARTER } from './measures.ts'

/** A division of a window of time into equal steps. */
export interface Division {
  readonly steps: number
  /** What the reader pays for it, in the units of `grid.ts`. */
  readonly cost: number
  /** The ratio of a tuplet, for example 3 in the time of 2. Undefined for ordinary values. */
  readonly tuplet: Tuplet | undefined
}

export interface Tuplet {
  readonly actual: number
  readonly normal: number
  /** The written value of one step, in units. */
  readonly value: number
}

/** A part of a measure that is divided in one way. */
export interface Window {
  readonly start: number
  readonly length: number
}

const plain = (steps: number, cost: number): Division => ({ steps, cost, tuplet: undefined })
const tuplet = (actual: number, normal: number, value: number, cost: number): Division => ({
  steps: actual,
  cost,
  tuplet: { actual, normal, value },
})

const EIGHTH = QUARTER / 2
const SIXTEENTH = QUARTER / 4
const THIRTY_SECOND = QUARTER / 8

/** The divisions of a window by its length in units. Short values and tuplets cost more. */
const divisions = new Map<number, readonly Division[]>([
  [SIXTEENTH, [plain(1, 0.4), plain(2, 2.5), plain(4, 6)]],
  [
    EIGHTH,
    [
      plain(1, 0.4),
      plain(2, 1.2),
      plain(4, 3.5),
      plain(8, 8),
      tuplet(3, 2, SIXTEENTH, 4),
      tuplet(6, 4, THIRTY_SECOND, 9),
      tuplet(5, 4, THIRTY_SECOND, 11),
      tuplet(7, 4, THIRTY_SECOND, 13),
    ],
  ],
  [
    QUARTER,
    [
      plain(1, 0),
      plain(2, 0.6),
      plain(4, 1.5),
      plain(8, 5),
      plain(16, 11),
      tuplet(3, 2, EIGHTH, 3),
      tuplet(6, 4, SIXTEENTH, 5),
      tuplet(5, 4, SIXTEENTH, 9),
      tuplet(7, 4, SIXTEENTH, 11),
      tuplet(12, 8, THIRTY_SECOND, 12),
    ],
  ],
  [
    (3 * QUARTER) / 2,
    [
      plain(1, 0),
      plain(3, 0.6),
      plain(6, 1.5),
      plain(12, 5),
      plain(24, 11),
      tuplet(2, 3, EIGHTH, 4),
      tuplet(4, 3, EIGHTH, 6),
      tuplet(5, 6, SIXTEENTH, 11),
      tuplet(7, 6, SIXTEENTH, 12),
      tuplet(8, 6, SIXTEENTH, 13),
    ],
  ],
  [(3 * QUARTER) / 4, [plain(1, 0), plain(3, 0.6), plain(6, 3), plain(12, 8), tuplet(2, 3, SIXTEENTH, 4)]],
  [
    2 * QUARTER,
    [tuplet(3, 2, QUARTER, 5), tuplet(5, 4, EIGHTH, 11), tuplet(6, 4, EIGHTH, 9), tuplet(7, 4, EIGHTH, 13)],
  ],
  [4 * QUARTER, [tuplet(3, 2, 2 * QUARTER, 7)]],
])

const finest = plain(1, 0)

/** The divisions of a window of that length; a window of an unusual length has 64th notes. */
export function divisionsOf(length: number): readonly Division[] {
  const known = divisions.get(length)
  if (known !== undefined) return known
  const values = length / (QUARTER / 16)
  return Number.isInteger(values) ? [plain(values, 5)] : [finest]
}

/**
 * The windows of a measure, each of them a part of its time: its beats, the halves and thirds of beats, pairs of quarter
 * beats, and four of them. Starts count from the beginning of the measure.
 */
export function windowsOf({ beats }: Measure): Window[] {
  const windows: Window[] = []
  const starts: number[] = []
  let start = 0
  for (const beat of beats) {
    starts.push(start)
    windows.push({ start, length: beat })
    const part = beat === QUARTER || beat === 3 * EIGHTH ? EIGHTH : beat
    for (let inner = 0; part < beat && inner < beat; inner += part)
      windows.push({ start: start + inner, length: part })
    start += beat
  }
  const isQuarters = (from: number, count: number) =>
    beats.slice(from, from + count).every((beat) => beat === QUARTER) && from + count <= beats.length
  for (const [index, at] of starts.entries()) {
    const isPairStart = beats.length % 2 === 1 || index % 2 === 0
    if (isPairStart && isQuarters(index, 2)) windows.push({ start: at, length: 2 * QUARTER })
    if (index % 4 === 0 && isQuarters(index, 4)) windows.push({ start: at, length: 4 * QUARTER })
  }
  return windows
}
