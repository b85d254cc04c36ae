import type { ScoreTrackPoint } from '../../../../../src/contract/score-tracks.ts'

/** The times at which the measures of a recording begin, in seconds, in the order of playing; the last one can be its end. */
export type Taps = readonly number[]

/** The least time between two taps, in seconds. The times of the server have milliseconds. */
const least = 0.01

const rounded = (seconds: number) => Math.round(seconds * 1000) / 1000

/**
 * Adds a tap. A tap before the last one, after the user has gone back, replaces those that come after it.
 * @param most the number of measures and the end
 */
export function withTap(taps: Taps, seconds: number, most: number): Taps {
  const time = rounded(Math.max(0, seconds))
  const before = taps.filter((tap) => tap < time - least)
  return before.length < most ? [...before, time] : taps
}

/** Moves a tap, but not past its neighbours. */
export function withMovedTap(taps: Taps, index: number, seconds: number): Taps {
  const low = (taps[index - 1] ?? -least) + least
  const high = (taps[index + 1] ?? Number.POSITIVE_INFINITY) - least
  if (Number.isNaN(seconds) || high < low) return taps
  return taps.with(index, rounded(Math.max(low, Math.min(high, seconds))))
}

/** @param measures the uuids of the measures in the order of playing */
export function pointsOf(taps: Taps, measures: readonly string[]): ScoreTrackPoint[] {
  return taps.slice(0, measures.length + 1).map((time, index) => {
    const measureUuid = measures[index]
    return measureUuid === undefined ? { type: 'end', time } : { type: 'measure', measureUuid, time }
  })
}

/** Returns the taps that were saved, as far as they follow the order of the score. */
export function tapsOf(points: readonly ScoreTrackPoint[], measures: readonly string[]): Taps {
  const other = points.findIndex(({ measureUuid }, index) => measureUuid !== measures[index])
  return (other < 0 ? points : points.slice(0, other)).map(({ time }) => time)
}
