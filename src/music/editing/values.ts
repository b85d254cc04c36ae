import { plainSymbols } from '../transcription/symbols.ts'
import { measureOf, QUARTER } from '../transcription/measures.ts'

/**
 * The unit of all times in operations: whole numbers for values down to the 1024th and for tuplets of up to 16 notes. A time that a
 * file rounds is rounded to the nearest unit.
 */
export const TICKS_PER_QUARTER = 11_531_520

/** Names of values in MusicXML, from the shortest. */
const types = [
  '1024th',
  '512th',
  '256th',
  '128th',
  '64th',
  '32nd',
  '16th',
  'eighth',
  'quarter',
  'half',
  'whole',
  'breve',
  'long',
  'maxima',
] as const

export type NoteType = (typeof types)[number]

/** A written value, such as a dotted quarter. */
export interface NoteValue {
  readonly type: NoteType
  /** From 0 to 3. */
  readonly dots: number
}

const shortest = TICKS_PER_QUARTER / 256
const mostDots = 3

/** Whether a text is the name of a value. */
export const isNoteType = (text: string | undefined): text is NoteType => types.some((type) => type === text)

/** The duration of a value in ticks, outside of tuplets. */
export function ticksOfValue({ type, dots }: NoteValue): number {
  const plain = shortest * 2 ** types.indexOf(type)
  return 2 * plain - plain / 2 ** Math.max(0, Math.min(mostDots, dots))
}

/** The value of a duration with at most two dots. Undefined if no single note has it. */
export function valueOfTicks(ticks: number): NoteValue | undefined {
  for (const [dots, factor] of [1, 1.5, 1.75].entries()) {
    const type = types[Math.log2(ticks / factor / shortest)]
    if (type !== undefined) return { type, dots }
  }
  return undefined
}

/** How many levels of beams a value has: 1 for an eighth note, 0 from a quarter note on. */
export const beamsOfType = (type: NoteType): number =>
  Math.max(0, types.indexOf('quarter') - types.indexOf(type))

/** The meter and the length of a measure. */
export interface MeasureMeter {
  readonly beats: number
  readonly beatType: number
  /** The length in ticks. It differs from that of the time signature in a pick-up. */
  readonly length: number
  /** The beats are counted from the end. */
  readonly isPickup: boolean
}

/** A value with its place. */
export interface PlacedValue {
  readonly onset: number
  readonly ticks: number
  /** Undefined for a time that no note has. */
  readonly value: NoteValue | undefined
}

/** Ticks of a unit of the transcription. */
const ticksPerUnit = TICKS_PER_QUARTER / QUARTER

/** The beats of a measure, in ticks. */
export function beatsOfMeasure({ beats, beatType, length, isPickup }: MeasureMeter): number[] {
  return measureOf({ beats, beatType }, length / ticksPerUnit, isPickup).beats.map(
    (beat) => beat * ticksPerUnit,
  )
}

/**
 * Divides a time of a measure into values that show the beat.
 * @param from ticks from the start of the measure
 */
export function valuesBetween(from: number, to: number, meter: MeasureMeter, isRest: boolean): PlacedValue[] {
  const grid = TICKS_PER_QUARTER / 16
  if (from % grid !== 0 || to % grid !== 0 || meter.length % grid !== 0) return greedyValues(from, to)
  const measure = measureOf(meter, meter.length / ticksPerUnit, meter.isPickup)
  return plainSymbols(from / ticksPerUnit, to / ticksPerUnit, measure, isRest).flatMap((symbol) => {
    const onset = symbol.start * ticksPerUnit
    const ticks = symbol.duration * ticksPerUnit
    const { type, dots } = symbol
    return isNoteType(type) ? [{ onset, ticks, value: { type, dots } }] : greedyValues(onset, onset + ticks)
  })
}

/** The longest plain values one after the other, beginning with the shortest so that later ones are on the beat. */
function greedyValues(from: number, to: number): PlacedValue[] {
  const lengths: number[] = []
  let left = to - from
  for (let index = types.length - 1; index >= 0; index--) {
    const ticks = shortest * 2 ** index
    while (left >= ticks) {
      lengths.push(ticks)
      left -= ticks
    }
  }
  if (left > 0) lengths.push(left)
  const ordered = from === 0 ? lengths : lengths.reverse()
  let onset = from
  return ordered.map((ticks) => {
    const placed = { onset, ticks, value: valueOfTicks(ticks) }
    onset += ticks
    return placed
  })
}
