import { semitonesOfStep } from '../model/steps.ts'
import type { Key } from './keys.ts'

/** A written pitch. */
export interface Spelling {
  readonly step: string
  /** Semitones, −2…2. */
  readonly alter: number
  /** 4 begins with middle C. */
  readonly octave: number
}

/** A note to spell. */
export interface SpelledNote {
  /** MIDI key. */
  readonly key: number
  /** The key of the note that follows in its voice. */
  readonly next?: number | undefined
}

const steps = ['F', 'C', 'G', 'D', 'A', 'E', 'B'] as const
/** The line of fifths from F double flat to B double sharp; C is 0. */
const FIRST_PLACE = -15
const LAST_PLACE = 19
/** The distance on the line that a resolution by a semitone is worth. */
const RESOLUTION = 1.5
/** Distances that a double flat or a double sharp must save. */
const DOUBLE = 3
/** How much each note moves the centre of the music towards itself, and how much it falls back to the key. */
const PULL = 0.06
const RETURN = 0.04

/**
 * Spells notes by their places on the line of fifths: each one as near as possible to the centre of the music around it, which
 * begins at the centre of the key. A note that resolves by a semitone is written a step from the next one.
 */
export function createSpeller() {
  let centre: number | undefined
  let keyCentre = 0
  let keyFifths = 0

  return {
    /** The key from here on, as its part is written. */
    setKey({ fifths, isMinor }: Key): void {
      // The diatonic notes lie from −1 to 5 around the tonic of the major key; the minor key raises its seventh.
      keyFifths = fifths
      keyCentre = fifths + (isMinor ? 3 : 2)
      centre = keyCentre
    },
    /** The alteration that the key signature gives a step. */
    alterInKey(step: string): number {
      const place = steps.indexOf(step as (typeof steps)[number])
      if (keyFifths > 0) return place < keyFifths ? 1 : 0
      return place >= steps.length + keyFifths ? -1 : 0
    },
    spell({ key, next }: SpelledNote): Spelling {
      const from = centre ?? keyCentre
      const place = nearestPlace(key, from, next)
      centre = from + PULL * (place - from) + RETURN * (keyCentre - from)
      return spellingAt(place, key)
    },
  }
}

function nearestPlace(key: number, centre: number, next: number | undefined): number {
  const first = (((key * 7) % 12) + 12) % 12
  let best = { place: 0, cost: Number.POSITIVE_INFINITY }
  for (let place = first - 24; place <= LAST_PLACE; place += 12) {
    if (place < FIRST_PLACE) continue
    let cost = Math.abs(place - centre)
    if (place < -8 || place > 12) cost += DOUBLE
    // A semitone up to the next note is a raised step, a semitone down a lowered one.
    if (next === key + 1) cost += place > centre ? -RESOLUTION : 0
    else if (next === key - 1) cost += place < centre ? -RESOLUTION : 0
    if (cost < best.cost) best = { place, cost }
  }
  return best.place
}

function spellingAt(place: number, key: number): Spelling {
  const index = (((place + 1) % 7) + 7) % 7
  const step = steps[index] as (typeof steps)[number]
  const alter = Math.floor((place + 1) / 7)
  return { step, alter, octave: Math.round((key - alter - semitonesOfStep[step]) / 12) - 1 }
}

/** The note a step above another one, spelled so that it has that key. */
export function spelledAbove({ step, octave }: Spelling, key: number): Spelling {
  const upper = steps[(steps.indexOf(step as (typeof steps)[number]) + 2) % 7] as (typeof steps)[number]
  const upperOctave = step === 'B' ? octave + 1 : octave
  return { step: upper, alter: key - 12 * (upperOctave + 1) - semitonesOfStep[upper], octave: upperOctave }
}
