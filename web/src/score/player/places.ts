import type { Beat, Song } from './song.ts'

/** A point of the server's export `synchronizationPoints`. */
export type SynchronizationPoint =
  | { readonly type: 'measure'; readonly measureUuid: string; readonly time: number }
  | { readonly type: 'end'; readonly time: number }

/** One time that a measure is played. A repeated measure has several. */
export interface PlayedMeasure {
  readonly uuid: string
  /** In seconds at the written tempo. */
  readonly start: number
  readonly end: number
}

/** A passage of the playback, in seconds at the written tempo. */
export interface Passage {
  readonly start: number
  readonly end: number
}

/** @param points in the order of playing */
export function playedMeasures(points: readonly SynchronizationPoint[]): PlayedMeasure[] {
  return points.flatMap((point, index) => {
    if (point.type !== 'measure') return []
    return [{ uuid: point.measureUuid, start: point.time, end: points[index + 1]?.time ?? point.time }]
  })
}

/** The tolerance of times that were rounded to milliseconds. */
const rounding = 0.001

/** Returns the index of the measure that is played at a time; that of the last one after the end. -1 if there are no measures. */
export function indexAt(measures: readonly PlayedMeasure[], seconds: number): number {
  let [low, high] = [0, measures.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((measures[middle]?.start ?? 0) <= seconds + rounding) low = middle + 1
    else high = middle
  }
  return Math.max(low - 1, Math.min(0, measures.length - 1))
}

/**
 * Returns the time of a measure that was clicked: the next time that it is played after `seconds`, because a click in a repeated
 * passage means the music that follows, or else the first time.
 */
export function startOf(
  measures: readonly PlayedMeasure[],
  uuid: string,
  seconds: number,
): number | undefined {
  const times = measures.filter((measure) => measure.uuid === uuid)
  const current = times.find(({ start, end }) => start <= seconds + rounding && seconds < end - rounding)
  return (current ?? times.find(({ start }) => start >= seconds) ?? times[0])?.start
}

/**
 * Returns the passage from one measure to another, whichever of them comes first. Repeats between them are part of it.
 * @param near a time of the playback: of a measure that is played several times, the time nearest to it counts
 */
export function passageBetween(
  measures: readonly PlayedMeasure[],
  from: string,
  to: string,
  near: number,
): Passage | undefined {
  const first = nearest(measures, from, near)
  if (!first) return undefined
  const last = nearest(measures, to, first.start)
  if (!last) return undefined
  return first.start <= last.start
    ? { start: first.start, end: last.end }
    : { start: last.start, end: first.end }
}

function nearest(
  measures: readonly PlayedMeasure[],
  uuid: string,
  seconds: number,
): PlayedMeasure | undefined {
  return measures
    .filter((measure) => measure.uuid === uuid)
    .sort((a, b) => Math.abs(a.start - seconds) - Math.abs(b.start - seconds))[0]
}

/** Returns the beats of a metronome. Each measure starts with a beat, also after an upbeat. */
export function beatsOf(song: Song, measures: readonly PlayedMeasure[]): Beat[] {
  return measures.flatMap(({ start, end }) => {
    const from = song.tickAt(start)
    const meter = song.meters.findLast(({ seconds }) => seconds <= start + rounding)
    const beatTicks = meter?.beatTicks
    if (!beatTicks) return [{ seconds: start, isFirst: true }]
    const beats: Beat[] = []
    for (let tick = from; song.secondsAt(tick) < end - 10 * rounding; tick += beatTicks)
      beats.push({ seconds: tick === from ? start : song.secondsAt(tick), isFirst: tick === from })
    return beats
  })
}

/** Beats before the music begins. */
export interface CountIn {
  readonly beats: number
  /** The time between two of them, in seconds at the written tempo. */
  readonly interval: number
}

const mostBeats = 8

/** Returns a count-in of one measure at the tempo of the music at a time. */
export function countInAt(
  beats: readonly Beat[],
  measures: readonly PlayedMeasure[],
  seconds: number,
): CountIn | undefined {
  const lengths = measures.map(({ start, end }) =>
    beats.filter((beat) => beat.seconds >= start - rounding && beat.seconds < end - rounding),
  )
  const index = Math.max(0, indexAt(measures, seconds))
  // An upbeat is shorter than the measures of its meter.
  const beatsOfMeasure = Math.max(lengths[index]?.length ?? 0, lengths[index + 1]?.length ?? 0)
  const here = beats.findIndex((beat) => beat.seconds >= seconds - rounding)
  const [first, second] = [beats[here], beats[here + 1]]
  if (beatsOfMeasure === 0 || !first || !second) return undefined
  return { beats: Math.min(mostBeats, beatsOfMeasure), interval: second.seconds - first.seconds }
}
