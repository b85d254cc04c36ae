/** The names of accidentals by their alterations in semitones (MusicXML 4.0, `accidental-value`). */
const names = new Map([
  [-2, 'flat-flat'],
  [-1.5, 'three-quarters-flat'],
  [-1, 'flat'],
  [-0.5, 'quarter-flat'],
  [0, 'natural'],
  [0.5, 'quarter-sharp'],
  [1, 'sharp'],
  [1.5, 'three-quarters-sharp'],
  [2, 'double-sharp'],
])

const alterations = new Map([
  ...[...names].map(([alter, name]) => [name, alter] as const),
  ['sharp-sharp', 2] as const,
  ['natural-sharp', 1] as const,
  ['natural-flat', -1] as const,
  ['double-flat', -2] as const,
])

/** The alteration of an accidental in semitones. Undefined for one of a system of its own, such as the Turkish. */
export const alterationOf = (accidental: string): number | undefined => alterations.get(accidental.trim())

/** The accidental of an alteration. Undefined for microtones without a usual sign. */
export const accidentalOf = (alter: number): string | undefined => names.get(alter)

const orderOfSharps = 'FCGDAEB'

/** The alteration of a step in a key signature. */
export function alterInKey(step: string, fifths: number): number {
  const place = orderOfSharps.indexOf(step)
  if (fifths > 0) return place < fifths ? 1 : 0
  return 6 - place < -fifths ? -1 : 0
}
