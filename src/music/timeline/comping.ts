import { chordSymbolsOf, type MeasureChords, type PlacedHarmony } from './chord-symbols.ts'
import type { ChordTone, Harmony } from './harmonies.ts'
import type { PartSounds } from './part-sounds.ts'
import type { WrittenMeasure, WrittenNote, WrittenPart } from './written.ts'

/** A piano that plays the chord symbols. */
export const compingSounds: PartSounds = {
  id: 'chord-symbols',
  name: 'Chord symbols',
  instrumentCount: 1,
  instrument: () => ({
    id: '',
    sound: 'keyboard.piano',
    program: 0,
    bank: undefined,
    volume: undefined,
    pan: undefined,
    percussion: false,
    unpitchedKey: undefined,
    percussionInstrument: () => undefined,
  }),
}

/** The lowest key of the bass, E2, and of the other notes, G3. Each part has an octave. */
const LOWEST_BASS = 40
const LOWEST_NOTE = 55
/** A chord without another symbol ends after this number of measures. */
const LONGEST_CHORD = 4
/** Below the melody. */
const SOFTER = -12
const MOST_NOTES = 4
const PERFECT_FIFTH = 7
const FEWEST_OF_A_CHORD = 3

interface CompingOptions {
  /** Plays them in any case if true, undefined for the default. */
  readonly isWanted: boolean | undefined
  readonly isConcertScore: boolean
}

/**
 * The chord symbols as a part: each chord has its bass in the octave from E2 and the other notes in the octave from
 * G3, so that common notes stay. It is struck at its symbol and at each barline, until the next symbol, at most for
 * four measures. Of a chord of more than four notes, the perfect fifth is left out, then the root, which the bass has.
 *
 * By default the symbols are played if the notes do not: in fewer than half of the measures with a symbol, three
 * different pitches begin together, or another staff has three.
 * @returns undefined if they are not played
 */
export function compingOf(
  parts: readonly WrittenPart[],
  columnStarts: readonly number[],
  { isWanted, isConcertScore }: CompingOptions,
): WrittenPart | undefined {
  const columns = columnStarts.length - 1
  const chords = chordSymbolsOf(parts, columns, isConcertScore)
  const withSymbols = [...chords.keys()].filter((column) => chords[column] !== undefined)
  if (withSymbols.length === 0) return undefined
  if (isWanted === undefined) {
    const played = withSymbols.filter((column) => hasChords(parts, column, chords[column]))
    if (played.length * 2 >= withSymbols.length) return undefined
  }
  const measures: WrittenMeasure[] = []
  let current: Harmony | undefined
  /** The part whose dynamics count. */
  let source = chords[withSymbols[0] ?? 0]?.part
  let left = 0
  for (const [column, here] of chords.entries()) {
    const length = (columnStarts[column + 1] ?? 0) - (columnStarts[column] ?? 0)
    source = here?.part ?? source
    const symbols = [...(here?.symbols ?? [])]
    if (current !== undefined && left > 0 && (symbols[0]?.at ?? length) > 0)
      symbols.unshift({ at: 0, harmony: current })
    measures.push({
      length,
      notes: symbols.flatMap((symbol, index) =>
        notesOf(symbol, Math.min(length, symbols[index + 1]?.at ?? length)),
      ),
      marks: source?.measures[column]?.marks ?? [],
      fermatas: [],
    })
    left = here === undefined ? left - 1 : LONGEST_CHORD - 1
    current = symbols.at(-1)?.harmony ?? current
  }
  return { measures }
}

/** Whether the notes of a measure are chords already. */
function hasChords(
  parts: readonly WrittenPart[],
  column: number,
  chords: MeasureChords | undefined,
): boolean {
  const together = new Map<string, Set<number>>()
  for (const [index, part] of parts.entries()) {
    for (const { at, key, percussion, staff } of part.measures[column]?.notes ?? []) {
      if (percussion) continue
      const isOfSymbols = part === chords?.part && staff === chords.staff
      for (const name of isOfSymbols ? [`${at}`] : [`${at}`, `staff ${index}/${staff}`]) {
        const pitchClasses = together.get(name) ?? new Set()
        together.set(name, pitchClasses.add(key % 12))
        if (pitchClasses.size >= FEWEST_OF_A_CHORD) return true
      }
    }
  }
  return false
}

function notesOf({ at, harmony }: PlacedHarmony, end: number): WrittenNote[] {
  const { bass, tones } = harmony
  if (tones.length === 0 || end <= at) return []
  const upper = upperOf(tones).map(({ pitchClass }) => keyFrom(LOWEST_NOTE, pitchClass))
  const keys = [keyFrom(LOWEST_BASS, bass), ...upper]
  return keys.map((key, index) => noteOf(key, at, end, index > 0))
}

/** The notes above the bass. The third and the seventh say most about a chord, and a perfect fifth least. */
function upperOf(tones: readonly ChordTone[]): readonly ChordTone[] {
  if (tones.length <= MOST_NOTES) return tones
  const rankOf = ({ degree, interval }: ChordTone) => {
    if (degree === 3 || degree === 7) return 0
    if (degree === 1) return 2
    return degree === 5 && interval === PERFECT_FIFTH ? 3 : 1
  }
  return tones.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, MOST_NOTES)
}

const keyFrom = (lowest: number, pitchClass: number) => lowest + ((((pitchClass - lowest) % 12) + 12) % 12)

function noteOf(key: number, at: number, end: number, inChord: boolean): WrittenNote {
  return {
    at,
    duration: end - at,
    start: at,
    end,
    swingDelay: 0,
    gate: 1,
    key,
    bend: 0,
    percussion: false,
    voice: '1',
    staff: 1,
    inChord,
    tieStart: false,
    tieStop: false,
    letRing: false,
    accent: SOFTER,
    ownVelocity: undefined,
    velocity: 0,
    releaseVelocity: undefined,
    instrument: '',
    timeOnly: undefined,
    lyrics: [],
    arpeggio: undefined,
    element: noElement,
    isWrittenHere: false,
    signs: undefined,
    ornament: undefined,
    grace: undefined,
    cutsPrevious: undefined,
  }
}

const noElement = { name: 'note', attributes: {}, children: [], text: '' }
