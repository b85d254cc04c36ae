import { tableOf } from './table.ts'

/**
 * The usual General MIDI keys of a drum set on five lines, by `display-step` and `display-octave` with a
 * percussion clef.
 */
const drumSet = tableOf<number>({
  D4: 44,
  E4: 35,
  F4: 36,
  G4: 41,
  A4: 43,
  B4: 45,
  C5: 38,
  D5: 47,
  E5: 50,
  F5: 51,
  G5: 42,
  A5: 49,
  B5: 57,
})

const SNARE = 38

/** The key (0–127) of an unpitched note by its place on the staff, the snare when no drum is there. */
export function drumKeyAt(step: string | undefined, octave: number | undefined): number {
  return drumSet.get(`${step}${octave}`) ?? SNARE
}
