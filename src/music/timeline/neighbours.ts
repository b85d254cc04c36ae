import { placeAt } from '../../lib/numbers.ts'
import { child, childText } from '../model/document.ts'
import { type KeyAlterations, steps } from './key-alterations.ts'
import { semitonesOf } from './pitch.ts'
import { numberOf, type WrittenNote } from './written.ts'

/** A pitch as it is written on the staff. */
interface Spelling {
  /** Steps above C0. */
  readonly place: number
  readonly alter: number
}

/** What decides how the notes beside a note are altered. */
export interface Surroundings {
  readonly key: KeyAlterations
  readonly accidentals: Accidentals
}

/** How many steps an ornament moves, and the alteration that an accidental mark gives to the other note. */
export interface Step {
  readonly by: 1 | -1 | -2
  readonly alter: number | undefined
}

const LARGEST_STEP = 2
const LARGEST_ALTERED_STEP = 3

/**
 * The interval from a note to the one above or below it, in semitones. An accidental mark alters the other
 * note. Without one it is altered as it would be if it were written there: by the accidentals before it in the
 * measure, or else by the key signature. A neighbour is at least a semitone away, and at most a whole tone
 * unless an accidental mark says so. An unpitched note has no neighbour: 0.
 */
export function intervalTo(
  { by, alter }: Step,
  note: WrittenNote,
  { key, accidentals }: Surroundings,
): number {
  const spelling = spellingOf(note)
  if (spelling === undefined || note.percussion) return 0
  const place = spelling.place + by
  const step = steps[((place % 7) + 7) % 7] ?? 'C'
  const altered = alter ?? accidentals.before(note, place) ?? key.get(step) ?? 0
  const interval = Math.round(semitonesAt(place) + altered - semitonesAt(spelling.place) - spelling.alter)
  const least = Math.abs(by)
  const most = (alter === undefined ? LARGEST_STEP : LARGEST_ALTERED_STEP) * least
  return Math.sign(by) * Math.min(most, Math.max(least, interval * Math.sign(by)))
}

function spellingOf({ element }: WrittenNote): Spelling | undefined {
  const pitch = child(element, 'pitch')
  if (pitch === undefined) return undefined
  const step = steps.indexOf(childText(pitch, 'step')?.toUpperCase() ?? '')
  const octave = Math.round(numberOf(childText(pitch, 'octave')) ?? 4)
  return { place: octave * 7 + Math.max(0, step), alter: numberOf(childText(pitch, 'alter')) ?? 0 }
}

function semitonesAt(place: number): number {
  const octave = Math.floor(place / 7)
  return octave * 12 + (semitonesOf.get(steps[place - octave * 7] ?? 'C') ?? 0)
}

/** The alterations of notes before others in a measure. */
export interface Accidentals {
  /** The alteration of the last note at that place of the staff, not after this note. Undefined without one. */
  before(note: WrittenNote, place: number): number | undefined
}

/** The accidentals of a measure, read when they are first needed. `notes` are by position. */
export function accidentalsOf(notes: readonly WrittenNote[]): Accidentals {
  let byPlace: Map<string, { readonly ats: number[]; readonly alters: number[] }> | undefined
  const read = () => {
    const places = new Map<string, { ats: number[]; alters: number[] }>()
    for (const note of notes) {
      const spelling = spellingOf(note)
      if (spelling === undefined) continue
      const name = `${note.staff}/${spelling.place}`
      const found = places.get(name) ?? { ats: [], alters: [] }
      found.ats.push(note.at)
      found.alters.push(spelling.alter)
      places.set(name, found)
    }
    return places
  }
  return {
    before(note, place) {
      byPlace ??= read()
      const found = byPlace.get(`${note.staff}/${place}`)
      return found?.alters[placeAt(found.ats, note.at)]
    },
  }
}
