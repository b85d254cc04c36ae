import { child, childText, type Element } from '../model/document.ts'
import { type Harmony, harmonyOf, smallNumber, type Tonic } from './harmonies.ts'
import { numberOf, type WrittenMark, type WrittenMeasure, type WrittenPart } from './written.ts'

/** A chord symbol at its place in a measure. */
export interface PlacedHarmony {
  readonly at: number
  readonly harmony: Harmony
}

/** The chord symbols of a measure, and the part that has them. */
export interface MeasureChords {
  readonly part: WrittenPart
  /** The staff of the first one. */
  readonly staff: number
  /** By position. */
  readonly symbols: readonly PlacedHarmony[]
}

/**
 * The chord symbols of each measure at concert pitch, from the first part that has any there. Undefined for a measure without.
 */
export function chordSymbolsOf(
  parts: readonly WrittenPart[],
  columns: number,
  isConcertScore: boolean,
): (MeasureChords | undefined)[] {
  const chords = new Array<MeasureChords | undefined>(columns)
  for (const part of parts) {
    let tonic: Tonic = { fifths: 0, isMinor: false }
    let semitones = 0
    for (const [column, measure] of part.measures.entries()) {
      const symbols: PlacedHarmony[] = []
      let staff = 1
      for (const mark of measure.marks) {
        if (mark.element.name === 'attributes') {
          tonic = tonicAfter(mark.element, tonic)
          if (!isConcertScore) semitones = semitonesAfter(mark.element, semitones)
        } else if (mark.element.name === 'harmony') {
          const harmony = harmonyOf(mark.element, semitones, tonic)
          if (harmony === undefined) continue
          if (symbols.length === 0) staff = numberOf(childText(mark.element, 'staff')) ?? 1
          symbols.push({ at: positionOf(mark), harmony })
        }
      }
      if (symbols.length > 0) chords[column] ??= { part, staff, symbols: apart(symbols, measure) }
    }
  }
  return chords
}

/** The `offset` of a harmony always counts. */
function positionOf({ at, element, ticksPerDivision }: WrittenMark): number {
  return Math.max(0, at + Math.round((numberOf(childText(element, 'offset')) ?? 0) * ticksPerDivision))
}

/** Symbols at one place share the time of the note there evenly, in the order in which they are written. */
function apart(symbols: readonly PlacedHarmony[], { notes, length }: WrittenMeasure): PlacedHarmony[] {
  const byPlace = new Map<number, PlacedHarmony[]>()
  for (const symbol of symbols) {
    const others = byPlace.get(symbol.at)
    if (others === undefined) byPlace.set(symbol.at, [symbol])
    else others.push(symbol)
  }
  if (byPlace.size === symbols.length) return symbols.toSorted((a, b) => a.at - b.at)
  const durations = new Map(
    notes.filter(({ duration }) => duration > 0).map(({ at, duration }) => [at, duration]),
  )
  const placed: PlacedHarmony[] = []
  for (const [at, together] of byPlace) {
    const time = durations.get(at) ?? Math.max(0, length - at)
    for (const [index, symbol] of together.entries())
      placed.push({ ...symbol, at: at + Math.round((time * index) / together.length) })
  }
  return placed.sort((a, b) => a.at - b.at)
}

function tonicAfter(attributes: Element, before: Tonic): Tonic {
  const key = child(attributes, 'key')
  const fifths = key && childText(key, 'fifths')
  if (key === undefined || fifths === undefined) return before
  return { fifths: smallNumber(fifths), isMinor: childText(key, 'mode') === 'minor' }
}

function semitonesAfter(attributes: Element, before: number): number {
  const transpose = child(attributes, 'transpose')
  return transpose === undefined ? before : smallNumber(childText(transpose, 'chromatic'))
}
