import { QUARTER } from './measures.ts'

/** Steps in a quarter note on which written music falls. */
const exactGrids = [16, 12, 5, 7]
/** Of the onsets, in a file that a program wrote. */
const EXACT_SHARE = 0.9
/** The same for the ends of notes, and how far they may be from the grid, in units. */
const EXACT_ENDS = 0.85
const EXACT_END = 0.016 * QUARTER
/** In units. */
const LEAST_NOISE = 0.004 * QUARTER
const LEAST_PLAYED = 0.008 * QUARTER
const MOST_PLAYED = 0.045 * QUARTER
/** A median deviation from 16th notes above this, in units, and from triplets above the other, is that of random onsets. */
const RANDOM_FROM_SIXTEENTHS = 0.045 * QUARTER
const RANDOM_FROM_TRIPLETS = 0.03 * QUARTER
/** Too few onsets say nothing about the beat. */
const FEWEST_ONSETS = 16

/**
 * The standard deviation of the onsets from the grid, in units: nearly nothing in a file that a program wrote, more in a performance.
 * @param onsets in units
 * @param tick the length of a tick in units
 */
export function noiseOf(onsets: readonly number[], tick: number): number {
  const tolerance = Math.min(1.01 * tick, 0.004 * QUARTER)
  const isExact = (at: number) => exactGrids.some((steps) => deviation(at, steps) <= tolerance)
  const exact = onsets.filter(isExact).length
  if (exact >= EXACT_SHARE * onsets.length) return Math.max(0.6 * tick, LEAST_NOISE)
  const median = Math.min(medianDeviation(onsets, 4), medianDeviation(onsets, 6))
  // The median of absolute deviations is 0.67 of the standard deviation.
  return Math.min(MOST_PLAYED, Math.max(LEAST_PLAYED, 1.48 * median))
}

/** Whether notes end where a program would end them: most ends are on the grid of 16th notes or triplets. */
export function areEndsExact(ends: readonly number[]): boolean {
  const exact = ends.filter((end) => deviation(end, 4) <= EXACT_END || deviation(end, 6) <= EXACT_END)
  return exact.length >= EXACT_ENDS * ends.length
}

/** Whether the beat of the file is that of the music. A performance that was recorded without a metronome falls anywhere. */
export function isMetered(onsets: readonly number[]): boolean {
  if (onsets.length < FEWEST_ONSETS) return true
  return (
    medianDeviation(onsets, 4) < RANDOM_FROM_SIXTEENTHS || medianDeviation(onsets, 6) < RANDOM_FROM_TRIPLETS
  )
}

function deviation(at: number, steps: number): number {
  const step = QUARTER / steps
  const within = ((at % step) + step) % step
  return Math.min(within, step - within)
}

function medianDeviation(onsets: readonly number[], steps: number): number {
  const sorted = onsets.map((at) => deviation(at, steps)).sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}
