import type { PlayedMeasure, SynchronizationPoint } from '../player/places.ts'

/** How a recording was made along with the music. */
export interface PlayedAlong {
  readonly measures: readonly PlayedMeasure[]
  /** The part of the music that was played, in seconds at the written tempo. */
  readonly from: number
  readonly until: number
  /** 1 for the written tempo. */
  readonly tempo: number
  /** The second of the recording at which the start of the music would be heard at this tempo. Negative for a later part. */
  readonly start: number
}

/** The tolerance of times that were rounded to milliseconds. */
const rounding = 0.001

/** Returns when each measure is played in a recording that was made along with the music. */
export function pointsOf({ measures, from, until, tempo, start }: PlayedAlong): SynchronizationPoint[] {
  const at = (seconds: number) => Math.round((start + seconds / tempo) * 1000) / 1000
  const played = measures.filter(
    (measure) =>
      measure.start >= from - rounding && measure.start < until - rounding && at(measure.start) >= 0,
  )
  const last = played.at(-1)
  if (!last) return []
  return [
    ...played.map(({ uuid, start }) => ({ type: 'measure', measureUuid: uuid, time: at(start) }) as const),
    { type: 'end', time: at(Math.min(last.end, until)) },
  ]
}

/** Returns the middle one of some numbers. */
export function medianOf(numbers: readonly number[]): number | undefined {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]
}
