import { child, childText, type Element } from '../model/document.ts'
import { semitonesOfStep } from '../model/steps.ts'
import { tableOf } from './table.ts'
import { numberOf } from './written.ts'

/** The interval from the written to the sounding pitch. */
export interface Transposition {
  readonly semitones: number
  /** The octave that sounds along: 12, -12 or none. */
  readonly doubledAt: number | undefined
}

export interface SoundingPitch {
  /** MIDI key, 0–127. */
  readonly key: number
  /** The difference between the key and the pitch, in semitones. */
  readonly bend: number
}

/** By staff number. `every` applies to the staves without their own transposition. */
export type Transpositions = ReadonlyMap<number | 'every', Transposition>

/** By the name of the step. */
export const semitonesOf = tableOf<number>(semitonesOfStep)
const atConcertPitch: Transposition = { semitones: 0, doubledAt: undefined }

/**
 * The sounding pitch of a `pitch` element (MusicXML 4.0, elements `step`, `alter`, `octave`): octave 4 begins with
 * middle C, `alter` counts semitones and may be decimal for microtones. A pitch beyond MIDI's keys is brought
 * back by octaves.
 */
export function soundingPitchOf(pitch: Element, semitones: number): SoundingPitch {
  const step = semitonesOf.get(childText(pitch, 'step')?.toUpperCase() ?? '') ?? 0
  const octave = numberOf(childText(pitch, 'octave')) ?? 4
  const alter = numberOf(childText(pitch, 'alter')) ?? 0
  const exact = (Math.round(octave) + 1) * 12 + step + alter + semitones
  const key = Math.round(exact)
  return { key: keyInRange(key), bend: Math.round((exact - key) * 1000) / 1000 }
}

/** The nearest key of the same pitch class that MIDI has. */
export function keyInRange(key: number): number {
  if (key < 0) return ((key % 12) + 12) % 12
  return key > 127 ? 116 + ((key - 116) % 12) : key
}

/**
 * The transpositions after an `attributes` element (MusicXML 4.0, element `transpose`: `chromatic`,
 * `octave-change`, `double`; attribute `number` for one of several staves). `diatonic` only affects the
 * spelling. A score in concert pitch (`concert-score`) keeps only octave changes and doublings, as the
 * specification demands.
 */
export function transpositionsAfter(
  attributes: Element,
  before: Transpositions,
  isConcertScore: boolean,
): Transpositions {
  let after: Map<number | 'every', Transposition> | undefined
  for (const element of attributes.children) {
    if (element.name !== 'transpose') continue
    const staff = numberOf(element.attributes.number)
    after ??= new Map(before)
    if (staff === undefined) after.clear()
    after.set(staff ?? 'every', transpositionOf(element, isConcertScore))
  }
  return after ?? before
}

/** Returns the transposition of a staff, or no transposition if the part has none. */
export function transpositionAt(transpositions: Transpositions, staff: number): Transposition {
  return transpositions.get(staff) ?? transpositions.get('every') ?? atConcertPitch
}

function transpositionOf(transpose: Element, isConcertScore: boolean): Transposition {
  const chromatic = isConcertScore ? 0 : (numberOf(childText(transpose, 'chromatic')) ?? 0)
  const octaves = numberOf(childText(transpose, 'octave-change')) ?? 0
  const double = child(transpose, 'double')
  return {
    semitones: chromatic + 12 * octaves,
    doubledAt: double && (double.attributes.above === 'yes' ? 12 : -12),
  }
}
