import { child, childText, type Element } from '../document.ts'
import { type Interval, unison } from './interval.ts'

/** What holds for the notes of a staff. */
export interface StaffState {
  /** Sharps (positive) or flats of the key signature. 0 for a key that is not of the circle of fifths. */
  readonly fifths: number
  /** From the written to the sounding pitch, without octaves. */
  readonly transposition: Interval
  readonly isUnpitched: boolean
}

const initial: StaffState = { fifths: 0, transposition: unison, isUnpitched: false }

/** The staves of a part while its measures are read. */
export interface Staves {
  /** @param staff a number, or undefined for all staves of the part */
  at(staff: string | undefined): StaffState
  /** Reads an `attributes` element. */
  read(attributes: Element): void
}

/** @param transpositionOf reads a `transpose` or a `for-part` element */
export function createStaves(transpositionOf: (element: Element) => Interval | undefined): Staves {
  const staves = new Map<string, StaffState>()
  let every = initial
  const at = (staff: string | undefined): StaffState =>
    (staff === undefined ? undefined : staves.get(staff.trim())) ?? every
  function change(staff: string | undefined, values: Partial<StaffState>): void {
    if (staff !== undefined) {
      staves.set(staff, { ...at(staff), ...values })
      return
    }
    every = { ...every, ...values }
    for (const [name, state] of staves) staves.set(name, { ...state, ...values })
  }
  return {
    at,
    read(attributes) {
      for (const element of attributes.children) {
        const { number } = element.attributes
        const staff = number?.trim()
        const transposition = transpositionOf(element)
        if (transposition) change(staff, { transposition })
        if (element.name === 'key') change(staff, { fifths: fifthsOf(element) ?? 0 })
        if (element.name === 'clef')
          change(staff, { isUnpitched: childText(element, 'sign') === 'percussion' })
      }
    },
  }
}

/** The number of a `key`. Undefined for a key of other steps. */
export function fifthsOf(key: Element): number | undefined {
  const fifths = Number(childText(key, 'fifths') || undefined)
  return Number.isFinite(fifths) ? Math.max(-14, Math.min(14, Math.round(fifths))) : undefined
}

/**
 * The interval of a `transpose` or `part-transpose` element, without its octaves. A ninth is an octave and a second.
 * @returns undefined if it moves nothing
 */
export function intervalOf(transpose: Element): Interval | undefined {
  const chromatic = numberIn(transpose, 'chromatic') ?? 0
  const diatonic = numberIn(transpose, 'diatonic') ?? Math.round((chromatic * 7) / 12)
  const octaves = Math.trunc(chromatic / 12)
  const [semitones, steps] = [chromatic - 12 * octaves, Math.round(diatonic) - 7 * octaves]
  return semitones === 0 && steps === 0 ? undefined : { semitones, steps }
}

/** The octaves of a `transpose` or `part-transpose` element. */
export const octavesOf = (transpose: Element): number =>
  (numberIn(transpose, 'octave-change') ?? 0) + Math.trunc((numberIn(transpose, 'chromatic') ?? 0) / 12)

function numberIn(element: Element, name: string): number | undefined {
  const value = Number(child(element, name)?.text.trim() || undefined)
  return Number.isFinite(value) && Math.abs(value) <= 120 ? value : undefined
}
