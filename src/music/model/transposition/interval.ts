import { fifthsOfInterval, respelled } from '../key-signature.ts'
import { semitonesOfStep } from '../steps.ts'

/** A musical interval. Both numbers are positive upwards: a minor third is 3 semitones and 2 steps. */
export interface Interval {
  readonly semitones: number
  /** Steps of the staff. They decide how a note is spelled. */
  readonly steps: number
}

export const unison: Interval = { semitones: 0, steps: 0 }

export const isUnison = ({ semitones, steps }: Interval): boolean => semitones === 0 && steps === 0

export const inverse = ({ semitones, steps }: Interval): Interval => ({
  semitones: 0 - semitones,
  steps: 0 - steps,
})

/**
 * The interval of a number of semitones that gives a key signature of as few sharps or flats as possible. Of F sharp and G flat it
 * chooses the one with the accidentals of the key before.
 * @param semitones an integer
 * @param fifths the key before, from −7 to 7
 */
export function simplestInterval(semitones: number, fifths: number): Interval {
  const middle = Math.round((semitones * 7) / 12)
  const choices = [middle - 1, middle, middle + 1].map((steps) => {
    const after = fifths + fifthsOfInterval(semitones, steps)
    return { steps, cost: Math.abs(after) + (after * (fifths < 0 ? -1 : 1) < 0 ? 0.5 : 0) }
  })
  const [best = { steps: middle }] = choices.sort((a, b) => a.cost - b.cost)
  return { semitones, steps: best.steps }
}

/**
 * The interval with which a key gets at most seven sharps or flats: G sharp major becomes A flat major.
 * @param fifths the key before
 */
export function intervalInKey(interval: Interval, fifths: number): Interval {
  if (isUnison(interval)) return interval
  const after = fifths + fifthsOfInterval(interval.semitones, interval.steps)
  return { ...interval, steps: interval.steps - (respelled(after) - after) / 12 }
}

/** A note as it is written, without its octave. */
export interface NoteName {
  /** From C to G, A, B. */
  readonly step: string
  /** In semitones. Microtones are fractions. */
  readonly alter: number
}

export interface WrittenPitch extends NoteName {
  /** Octave 4 begins with middle C. */
  readonly octave: number
}

const steps = ['C', 'D', 'E', 'F', 'G', 'A', 'B'] as const

export const isStep = (text: string | undefined): boolean => steps.some((step) => step === text)

/** The largest alteration that has a sign: a double sharp or a double flat, or one of them with a microtone. */
const mostAltered = 2

/** Semitones of a natural note at a place of the staff, counted in steps from the C of octave 0. */
const semitonesAt = (place: number): number =>
  Math.floor(place / 7) * 12 + semitonesOfStep[steps[((place % 7) + 7) % 7] ?? 'C']

/**
 * Moves a pitch by an interval. A note that would need a triple sharp or flat is spelled with another step.
 */
export function transposedPitch(pitch: WrittenPitch, interval: Interval): WrittenPitch {
  const before = pitch.octave * 7 + steps.findIndex((step) => step === pitch.step)
  const sound = semitonesAt(before) + pitch.alter + interval.semitones
  let place = before + interval.steps
  while (sound - semitonesAt(place) > mostAltered) place++
  while (sound - semitonesAt(place) < -mostAltered) place--
  return {
    step: steps[((place % 7) + 7) % 7] ?? 'C',
    alter: Math.round((sound - semitonesAt(place)) * 1e6) / 1e6,
    octave: Math.floor(place / 7),
  }
}

export function transposedName({ step, alter }: NoteName, interval: Interval): NoteName {
  const { step: newStep, alter: newAlter } = transposedPitch({ step, alter, octave: 4 }, interval)
  return { step: newStep, alter: newAlter }
}
