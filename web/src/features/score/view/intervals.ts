/** An interval as the parameter `transpose` has it. */
interface Interval {
  readonly semitones: number
  readonly steps: number
}

/** The steps of the intervals from the minor second to the octave. */
const stepsOf = [1, 1, 2, 2, 3, 3, 4, 5, 5, 6, 6, 7]

/** The intervals that are offered, in semitones and steps: up from the smallest, then down. */
export const offeredIntervals: readonly Interval[] = [1, -1].flatMap((direction) =>
  stepsOf.map((steps, index) => ({ semitones: direction * (index + 1), steps: direction * steps })),
)

export const parameterOf = ({ semitones, steps }: Interval): string => `${semitones},${steps}`

/** The interval up or down to the nearest place of a key signature. Undefined for the same key. */
export function intervalToKey(from: number, to: number): Interval | undefined {
  if (from === to) return undefined
  const up = (((7 * (to - from)) % 12) + 12) % 12
  const semitones = up > 6 ? up - 12 : up
  return { semitones, steps: (7 * semitones - (to - from)) / 12 }
}

/** The key signature after an interval, with at most seven sharps or flats. */
export function keyAfter(from: number, transpose: string | undefined): number {
  const [semitones = 0, steps = 0] = (transpose ?? '0,0').split(',').map(Number)
  const fifths = from + 7 * semitones - 12 * steps
  return fifths > 7 ? fifths - 12 : fifths < -7 ? fifths + 12 : fifths
}
