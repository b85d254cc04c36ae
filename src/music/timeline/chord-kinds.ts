import { tableOf } from './table.ts'

/** The notes of a chord: the degree of each, and its semitones above the root. */
export type ChordDegrees = ReadonlyMap<number, number>

const chord = (third: number, fifth: number, ...others: readonly (readonly [number, number])[]) =>
  new Map([[1, 0], [3, third], [5, fifth], ...others])

const seventh = [7, 10] as const
const majorSeventh = [7, 11] as const
const ninth = [9, 14] as const
const eleventh = [11, 17] as const
const thirteenth = [13, 21] as const

/** The chord of each kind (MusicXML 4.0, data type kind-value). */
export const chordKinds = tableOf<ChordDegrees>({
  major: chord(4, 7),
  minor: chord(3, 7),
  augmented: chord(4, 8),
  diminished: chord(3, 6),
  dominant: chord(4, 7, seventh),
  'major-seventh': chord(4, 7, majorSeventh),
  'minor-seventh': chord(3, 7, seventh),
  'diminished-seventh': chord(3, 6, [7, 9]),
  'augmented-seventh': chord(4, 8, seventh),
  'half-diminished': chord(3, 6, seventh),
  'major-minor': chord(3, 7, majorSeventh),
  'major-sixth': chord(4, 7, [6, 9]),
  'minor-sixth': chord(3, 7, [6, 9]),
  'dominant-ninth': chord(4, 7, seventh, ninth),
  'major-ninth': chord(4, 7, majorSeventh, ninth),
  'minor-ninth': chord(3, 7, seventh, ninth),
  'dominant-11th': chord(4, 7, seventh, ninth, eleventh),
  'major-11th': chord(4, 7, majorSeventh, ninth, eleventh),
  'minor-11th': chord(3, 7, seventh, ninth, eleventh),
  'dominant-13th': chord(4, 7, seventh, ninth, thirteenth),
  'major-13th': chord(4, 7, majorSeventh, ninth, thirteenth),
  'minor-13th': chord(3, 7, seventh, ninth, thirteenth),
  'suspended-second': new Map([
    [1, 0],
    [2, 2],
    [5, 7],
  ]),
  'suspended-fourth': new Map([
    [1, 0],
    [4, 5],
    [5, 7],
  ]),
  Neapolitan: chord(4, 7),
  Italian: new Map([
    [1, 0],
    [3, 4],
    [6, 10],
  ]),
  French: new Map([
    [1, 0],
    [3, 4],
    [4, 6],
    [6, 10],
  ]),
  German: chord(4, 7, [6, 10]),
  pedal: new Map([[1, 0]]),
  power: new Map([
    [1, 0],
    [5, 7],
  ]),
  Tristan: new Map([
    [1, 0],
    [4, 6],
    [6, 10],
    [9, 15],
  ]),
})

/** The semitones of an added degree: those of a dominant chord (MusicXML 4.0, element `degree-alter`). */
export function addedDegree(degree: number): number {
  const octaves = Math.floor((degree - 1) / 7)
  return octaves * 12 + ([0, 2, 4, 5, 7, 9, 10][(degree - 1) % 7] ?? 0)
}
