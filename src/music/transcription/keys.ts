/** A key signature and its mode. */
export interface Key {
  /** Sharps, or flats when negative; −7…7. */
  readonly fifths: number
  readonly isMinor: boolean
}

/** The share of a piece that a note outside of the scale takes away, against a note within it. */
const FOREIGN = -1.6
/** The raised seventh of the relative minor belongs to many pieces. */
const LEADING_NOTE = 0.1
/** A key with one more sharp or flat must fit better by this share. */
const ACCIDENTAL = 0.006

/**
 * Guesses the key by the share of each pitch class in the sounding time. The mode follows from the triads of the two possible tonics.
 * @param durations the sounding time of each pitch class from C, in any unit
 * @param last the pitch class of the last bass note, which is often the tonic
 */
export function guessKey(durations: readonly number[], last?: number): Key {
  const total = durations.reduce((sum, one) => sum + one, 0)
  if (total === 0) return { fifths: 0, isMinor: false }
  const share = (pitchClass: number) => (durations[((pitchClass % 12) + 12) % 12] ?? 0) / total
  let best = { fifths: 0, fit: Number.NEGATIVE_INFINITY }
  for (const fifths of [0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6]) {
    const tonic = fifths * 7
    let fit = -ACCIDENTAL * Math.abs(fifths)
    for (let step = -1; step <= 5; step++) fit += share(tonic + 7 * step)
    for (let step = 6; step <= 10; step++)
      fit += FOREIGN * share(tonic + 7 * step) * (step === 8 ? LEADING_NOTE : 1)
    if (fit > best.fit) best = { fifths, fit }
  }
  const major = best.fifths * 7
  const minor = major + 9
  const triad = (tonic: number, third: number) =>
    share(tonic) + 0.5 * share(tonic + third) + 0.7 * share(tonic + 7) + (isSame(last, tonic) ? 0.15 : 0)
  const isMinor = triad(minor, 3) + 0.5 * share(minor + 11) > triad(major, 4)
  return { fifths: best.fifths, isMinor }
}

/** The sounding time of the notes that a key signature has, and of the raised seventh of its minor key. */
export function timeInScale(durations: readonly number[], fifths: number): number {
  const steps = [-1, 0, 1, 2, 3, 4, 5, 8]
  return steps.reduce((sum, step) => sum + (durations[((((fifths + step) * 7) % 12) + 12) % 12] ?? 0), 0)
}

const isSame = (one: number | undefined, other: number) =>
  one !== undefined && (((one - other) % 12) + 12) % 12 === 0
