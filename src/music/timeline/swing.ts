import { placeAt } from '../../lib/numbers.ts'
import { childrenNamed, childText } from '../model/document.ts'
import { quartersOf } from './note.ts'
import { type SwingMark, swingMarksOf } from './swing-marks.ts'
import { meterAt, type WrittenMeter } from './signatures.ts'
import type { WrittenMeasure, WrittenNote, WrittenPart } from './written.ts'

/** The grid of a score. */
interface Grid {
  readonly ticksPerQuarter: number
  readonly columnStarts: readonly number[]
  readonly meters: readonly WrittenMeter[]
}

/**
 * Swings the notes (MusicXML 4.0, element `swing`): of each pair of eighth notes, or 16th notes, the second one
 * begins later, and a note that ends there ends later. Grace notes move with their note. A tuplet, and any other
 * note whose duration differs from its type, stays, as the specification demands. So does a pair in which the voice
 * has shorter notes, and eighth notes in compound meters.
 */
export function applySwing(parts: readonly WrittenPart[], grid: Grid): void {
  const marks = swingMarksOf(parts, grid.columnStarts)
  if (marks.every(({ first, unit }) => delayOf(first, unit) === 0)) return
  const measures = gridMeasuresOf(grid)
  const ticks = marks.map(({ tick }) => tick)
  for (const part of parts) {
    for (const [column, measure] of part.measures.entries()) {
      const place = measures[column]
      const start = grid.columnStarts[column] ?? 0
      if (place === undefined || placeAt(ticks, start + measure.length) < 0) continue
      const markAt = (at: number) => marks[placeAt(ticks, start + at)]
      swingMeasure(measure, { ...place, markAt, ticksPerQuarter: grid.ticksPerQuarter })
    }
  }
}

/** How much later the second note of a pair begins, in quarter notes. */
const delayOf = (first: number, unit: number) => unit * (2 * first - 1)

interface GridMeasure {
  /** Ticks from the last beat before the measure to its start: a pickup may begin off the beat. */
  readonly phase: number
  readonly isCompound: boolean
}

function gridMeasuresOf({ ticksPerQuarter, columnStarts, meters }: Grid): GridMeasure[] {
  const measures: GridMeasure[] = []
  const meterOf = meterAt(meters)
  let position = 0
  for (let column = 0; column + 1 < columnStarts.length; column++) {
    const meter = meterOf(column)
    const full = (meter.beats * 4 * ticksPerQuarter) / meter.beatType
    const length = (columnStarts[column + 1] ?? 0) - (columnStarts[column] ?? 0)
    // A pickup ends on a beat. The rest of a measure that a barline divides goes on from its first part.
    if (column === 0 && length < full) position = full - length
    const isWhole = length >= full || position >= full
    if (isWhole) position = 0
    measures.push({ phase: position, isCompound: meter.beatType >= 8 && meter.beats % 3 === 0 })
    position = isWhole && length >= full ? 0 : position + length
  }
  return measures
}

interface SwungMeasure extends GridMeasure {
  /** The mark in force at a position of the measure. */
  markAt(at: number): SwingMark | undefined
  readonly ticksPerQuarter: number
}

/** A pair of notes, and where a position is in it. */
interface PlaceInPair {
  readonly pair: string
  /** Ticks from the start of the pair. */
  readonly within: number
  /** The written length of each of its notes, and how much later the second one begins. */
  readonly half: number
  readonly delay: number
}

function swingMeasure({ notes }: WrittenMeasure, measure: SwungMeasure): void {
  const swung = notes.filter((note) => isPlain(note, measure.ticksPerQuarter))
  const divided = new Set<string>()
  for (const { voice, at, grace } of swung) {
    const place = grace === undefined ? placeInPair(voice, at, measure) : undefined
    if (place !== undefined && place.within % place.half !== 0) divided.add(place.pair)
  }
  const delayAt = (voice: string, at: number) => {
    const place = placeInPair(voice, at, measure)
    const isSecond = place !== undefined && place.within === place.half && !divided.has(place.pair)
    return isSecond ? place.delay : 0
  }
  for (const note of swung) {
    const delay = delayAt(note.voice, note.at)
    note.start += delay
    note.swingDelay = delay
    if (note.cutsPrevious !== undefined) note.cutsPrevious += delay
    note.end += delayAt(note.voice, note.at + note.duration)
  }
}

/** Undefined where nothing swings. */
function placeInPair(
  voice: string,
  at: number,
  { phase, isCompound, markAt, ticksPerQuarter }: SwungMeasure,
): PlaceInPair | undefined {
  const { first, unit } = markAt(at) ?? { first: 1 / 2, unit: 1 / 2 }
  const delay = Math.round(delayOf(first, unit) * ticksPerQuarter)
  if (delay === 0 || (isCompound && unit === 1 / 2)) return undefined
  const half = unit * ticksPerQuarter
  const index = Math.floor((at + phase) / (2 * half))
  return { pair: `${voice}/${unit}/${index}`, within: at + phase - index * 2 * half, half, delay }
}

/** Whether a note lasts as long as its type says. A grace note goes with its principal note. */
function isPlain({ element, grace, duration }: WrittenNote, ticksPerQuarter: number): boolean {
  if (grace !== undefined) return true
  const quarters = quartersOf(childText(element, 'type') ?? '')
  if (quarters === undefined) return false
  const dots = childrenNamed(element, 'dot').length
  return Math.abs(duration - quarters * (2 - 2 ** -dots) * ticksPerQuarter) < 1
}
