import type { Exercise } from '../../../../src/contract/exercises.ts'

export type Clef = NonNullable<Exercise['clef']>
export type Accidental = 'sharp' | 'doubleSharp' | 'flat' | 'doubleFlat'

/** The sign of a clef, and the place on which it stands. */
export const signs = {
  treble: { glyph: 'treble', at: 2 },
  bass: { glyph: 'bass', at: 6 },
  alto: { glyph: 'alto', at: 4 },
  tenor: { glyph: 'alto', at: 6 },
} as const satisfies Record<Clef, unknown>

/** The step of the lowest line, counted from C0. */
const lowestLines: Readonly<Record<Clef, number>> = { treble: 30, bass: 18, alto: 24, tenor: 22 }

const accidentals: Readonly<Record<string, Accidental>> = {
  '#': 'sharp',
  '##': 'doubleSharp',
  b: 'flat',
  bb: 'doubleFlat',
}

export interface StaffNote {
  /** The lowest line is 0, the space above it 1. */
  readonly place: number
  readonly accidental: Accidental | undefined
}

/** @param notes such as `F#4`; others are left out */
export function staffNotes(notes: readonly string[], clef: Clef): StaffNote[] {
  return notes.flatMap((note) => {
    const { step, sign } = read(note)
    return step === undefined ? [] : [{ place: step - lowestLines[clef], accidental: accidentals[sign] }]
  })
}

/** Returns the clef that keeps the notes nearest to the staff: treble, or bass for notes that are low on average. */
export function clefFor(notes: readonly string[]): Clef {
  const middleC = 28
  const steps = notes.flatMap((note) => read(note).step ?? [])
  return steps.reduce((sum, step) => sum + step - middleC, 0) < 0 ? 'bass' : 'treble'
}

function read(note: string): { step: number | undefined; sign: string } {
  const [, name = '', sign = '', octave] = /^([A-G])(#{0,2}|b{0,2})([0-9])$/.exec(note) ?? []
  return { step: octave === undefined ? undefined : Number(octave) * 7 + 'CDEFGAB'.indexOf(name), sign }
}

/** How the place of a note is named: a line or a space of the staff, or a line or space outside it. */
export interface NamedPlace {
  readonly kind: 'line' | 'space' | `${'just' | 'line' | 'space'}${'Above' | 'Below'}`
  /** Counted from below in the staff, and away from the staff outside it. A note just above or below it has 0. */
  readonly number: number
}

export function namedPlace(place: number): NamedPlace {
  const kind = place % 2 === 0 ? 'line' : 'space'
  if (place >= 0 && place <= 8) return { kind, number: Math.floor(place / 2) + 1 }
  const away = place < 0 ? -place : place - 8
  return {
    kind: `${away === 1 ? 'just' : kind}${place < 0 ? 'Below' : 'Above'}`,
    number: Math.floor(away / 2),
  }
}
