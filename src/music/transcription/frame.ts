import { MAX_MEASURES } from '../model/limits.ts'
import { trackBeats } from './beats.ts'
import { type Clock, clockOfBeats, createClock } from './clock.ts'
import { guessKey, type Key, timeInScale } from './keys.ts'
import { beatStarts, type Measure, type Meter, measuresOf, QUARTER } from './measures.ts'
import { guessMeter } from './meter-guess.ts'
import { isMetered, noiseOf } from './noise.ts'
import type { PerformedNote, PerformedPart, Performance } from './performance.ts'
import { type ScoreDirection, scoreDirections } from './score-directions.ts'
import { straightened, swingOf } from './swing.ts'
import { tempoMarks } from './tempo-marks.ts'

/** What all parts of a transcription share. */
export interface Frame {
  readonly measures: readonly Measure[]
  /** Key signatures at concert pitch by their places in units; the first one is at 0. */
  readonly keys: readonly (Key & { readonly at: number })[]
  /** The place in units of a place of the performance in quarter notes. Not whole. */
  placeOf(quarter: number): number
  /** The time of a place in units. */
  secondsAt(place: number): number
  /** A tick in units. */
  readonly tick: number
  /** Noise of all onsets, for parts with few notes. */
  readonly noise: number
  /** The directions above the first part. */
  readonly directions: readonly ScoreDirection[]
}

/** Finds the measures, the keys and the time of a performance. */
export function frameOf(performance: Performance): Frame {
  const notes = performance.parts.flatMap((part) => part.notes)
  const onsets = notes.map(({ start }) => start).sort((a, b) => a - b)
  const time = timeOf(performance, notes, onsets)
  const swing = isSimple(time.meters) ? swingOf(onsets.map(time.quarterOf)) : undefined
  const placed = (quarter: number) => {
    const own = time.quarterOf(quarter)
    return (swing === undefined ? own : straightened(own, swing)) + time.shift
  }
  const last = notes.reduce((end, note) => Math.max(end, note.start), 0)
  const lastEnd = notes.reduce((end, note) => Math.max(end, note.end), 0)
  // The last notes may ring for long. The piece ends at most a measure of four quarters after the last onset.
  const end = Math.max(placed(last) + 0.13, Math.min(placed(lastEnd) - 0.13, placed(last) + 4))
  const measures = measuresOf(time.meters, {
    end: end * QUARTER,
    pickup: time.pickup * QUARTER,
    limit: MAX_MEASURES,
  })
  const secondsAt = (place: number) => {
    const quarter = place / QUARTER - time.shift
    return time.clock.secondsAt(swing === undefined ? quarter : unswung(quarter, swing))
  }
  const resolution = time.isTracked ? 0 : performance.resolution
  const tick = Math.max(1, resolution * QUARTER)
  const tempos = tempoMarks(
    { ...time.clock, secondsAt: (quarter) => secondsAt(quarter * QUARTER) },
    time.tempoChanges.map((quarter) => quarter + time.shift),
    beatStarts(measures).map((start) => start / QUARTER),
  )
  return {
    measures,
    keys: keysOf(performance, notes, placed),
    placeOf: (quarter) => placed(quarter) * QUARTER,
    secondsAt,
    tick,
    noise: noiseOf(
      onsets.map((onset) => placed(onset) * QUARTER),
      tick,
    ),
    directions: scoreDirections({
      tempos,
      measures,
      markers: performance.markers.map(({ quarter, text }) => ({ at: placed(quarter) * QUARTER, text })),
      isSwinging: swing !== undefined,
    }),
  }
}

/** The inverse of `straightened`. */
function unswung(quarter: number, swing: number): number {
  const beat = Math.floor(quarter)
  const within = quarter - beat
  return beat + (within < 0.5 ? within * 2 * swing : swing + (within - 0.5) * 2 * (1 - swing))
}

interface Time {
  readonly clock: Clock
  /** The place in quarter notes of the clock of a place of the performance. */
  quarterOf(quarter: number): number
  /** The time from the start of the score to the start of the clock, in quarter notes. Negative if silence is left out. */
  readonly shift: number
  readonly meters: readonly Meter[]
  /** Quarter notes before the first full measure. */
  readonly pickup: number
  /** Places on the clock. */
  readonly tempoChanges: readonly number[]
  /** The beat was found by `trackBeats`. */
  readonly isTracked: boolean
}

function timeOf(performance: Performance, notes: readonly PerformedNote[], onsets: readonly number[]): Time {
  const clock = createClock(performance.tempos)
  const metered = onsets.map((onset) => onset * QUARTER)
  const isTracked = !isMetered(metered)
  const beats = isTracked
    ? trackBeats(onsets.map((quarter) => ({ seconds: clock.secondsAt(quarter), weight: 1 })))
    : undefined
  if (beats !== undefined) return trackedTime(performance, notes, clock, beats)
  const tempoChanges = performance.tempos.map(({ quarter }) => quarter)
  const own = { clock, quarterOf: (quarter: number) => quarter, tempoChanges, isTracked: false }
  const first = onsets[0] ?? 0
  const [meter] = performance.meters
  if (meter === undefined) {
    const { beats: count, pickup } = guessMeter(accentsOf(notes, (quarter) => quarter))
    return { ...own, shift: 0, meters: [{ quarter: 0, beats: count, beatType: 4 }], pickup }
  }
  const length = (meter.beats * 4) / meter.beatType
  const silent = Math.floor(first + 0.02)
  const isPickup = meter.quarter === 0 && first < length - 0.02 && silent * 2 >= length && length % 1 === 0
  if (!isPickup) return { ...own, shift: 0, meters: performance.meters, pickup: 0 }
  const meters = performance.meters.map((one) => ({ ...one, quarter: Math.max(0, one.quarter - silent) }))
  return { ...own, shift: -silent, meters, pickup: length - silent }
}

/** The time of a performance without a metronome. Its leading silence becomes a measure of rest. */
function trackedTime(
  { tempos, meters }: Performance,
  notes: readonly PerformedNote[],
  clock: Clock,
  beats: readonly number[],
): Time {
  const own = clockOfBeats(beats)
  const quarterOf = (quarter: number) => own.quarterAt(clock.secondsAt(quarter))
  const guessed = guessMeter(accentsOf(notes, quarterOf))
  const [given] = meters
  const meter = given ?? { quarter: 0, beats: guessed.beats, beatType: 4 }
  const silence = beats[0] ?? 0
  const length = (meter.beats * 4) / meter.beatType
  const lead = silence > 0.5 ? Math.min(8, Math.ceil(silence / 12)) * length : 0
  const withSilence: Clock = {
    quarterAt: own.quarterAt,
    secondsAt: (quarter) =>
      quarter < 0 && lead > 0 ? silence + (quarter * silence) / lead : own.secondsAt(quarter),
  }
  const pickup = lead > 0 ? 0 : guessed.pickup
  return {
    clock: withSilence,
    quarterOf,
    shift: lead,
    meters: [{ ...meter, quarter: 0 }],
    pickup,
    tempoChanges: tempos.length > 0 || beats.length > 0 ? beats.map((_, index) => index - lead) : [],
    isTracked: true,
  }
}

function accentsOf(notes: readonly PerformedNote[], quarterOf: (quarter: number) => number) {
  const low = notes.reduce((sum, { key }) => sum + key, 0) / notes.length
  return notes.map(({ start, end, key, velocity }) => ({
    quarter: quarterOf(start),
    weight: (velocity / 80) * Math.min(2, 0.25 + end - start) * (key < low ? 1.5 : 1),
  }))
}

const isSimple = (meters: readonly Meter[]) => meters.every(({ beatType }) => beatType <= 4)

function keysOf(
  { keys, parts }: Performance,
  notes: readonly PerformedNote[],
  placed: (quarter: number) => number,
): Frame['keys'] {
  const pitched = parts.filter((part: PerformedPart) => !part.isPercussion).flatMap((part) => part.notes)
  if (keys.length > 0) {
    const unitsOf = (quarter: number) => Math.max(0, Math.round(placed(quarter) * QUARTER))
    const byPlace = new Map(keys.map((key) => [unitsOf(key.quarter), key]))
    const [first, ...others] = [...byPlace].map(([at, { fifths, isMinor }]) => ({ at, fifths, isMinor }))
    if (first === undefined || first.at === 0) return [...(first ? [first] : []), ...others]
    const before = pitched.filter(({ start }) => unitsOf(start) < first.at)
    const opening = openingKey(durationsOf(before), first)
    return opening === first ? [{ ...first, at: 0 }, ...others] : [{ ...opening, at: 0 }, first, ...others]
  }
  const lastAt = notes.reduce((latest, { start }) => Math.max(latest, start), 0)
  const last = pitched.filter(({ start }) => start > lastAt - 0.1).sort((a, b) => a.key - b.key)[0]
  return [{ at: 0, ...guessKey(durationsOf(pitched), last?.key) }]
}

/** The sounding time of each pitch class. */
function durationsOf(notes: readonly PerformedNote[]): number[] {
  const durations = Array.from({ length: 12 }, () => 0)
  for (const { key, start, end } of notes)
    durations[key % 12] = (durations[key % 12] ?? 0) + Math.min(4, end - start)
  return durations
}

/** The key before the first key signature: that one, because some programs write it late, unless another one fits the notes better. */
function openingKey<First extends Key>(durations: readonly number[], first: First): First | Key {
  const guessed = guessKey(durations)
  return timeInScale(durations, first.fifths) < timeInScale(durations, guessed.fifths) ? guessed : first
}
