import { placeAt } from '../../lib/numbers.ts'
import type { ScoreDocument } from '../model/document.ts'
import { compingOf, compingSounds } from './comping.ts'
import { applyDynamics } from './dynamics.ts'
import { MAX_DURATION_SECONDS, MAX_PLAYED_EVENTS, tooMuch } from './limits.ts'
import { markersOf } from './markers.ts'
import type { PlaybackOptions } from './playback-options.ts'
import { type PlayedColumn, playbackOrderOf } from './playback-order.ts'
import type { PlayedMeasure, Timeline } from './played.ts'
import { playedPartOf } from './played-part.ts'
import { columnMarksOf } from './repeat-marks.ts'
import { writtenKeysOf } from './signatures.ts'
import { secondsAt, tempoChangesOf, ticksPerSecondAt } from './tempo-changes.ts'
import { type WrittenTempo, writtenTemposOf } from './tempo-map.ts'
import { unroll } from './unrolled.ts'
import { type WrittenScore, writtenScoreOf } from './written-score.ts'

/**
 * Returns the playback of a score (MusicXML 4.0): the sounding notes in time, with repeats and jumps
 * unrolled, ties joined, ornaments played out, transposing parts at concert pitch, and a tempo map from ticks
 * to seconds. `played.ts` describes the shape and its units, docs/playback.md the effect of each sign.
 * @throws INVALID_MUSICXML with the measure, if repeats exceed the limits of `limits.ts`
 */
export function timelineOf(document: ScoreDocument, options: PlaybackOptions = {}): Timeline {
  const score = writtenScoreOf(document, options)
  const { parts, columns, columnStarts, ticksPerQuarter, isConcertScore } = score
  for (const part of parts) applyDynamics(part, columnStarts, ticksPerQuarter)

  const writtenTempos = writtenTemposOf(parts, columnStarts, ticksPerQuarter)
  const order = playbackOrderOf(
    columnMarksOf(parts, columns.length),
    columns.map(({ number }) => number),
  )
  assertPlayable(order, score, writtenTempos)

  const measuresInTicks = measuresOf(order, score)
  const tempos = tempoChangesOf(
    unroll(
      writtenTempos,
      columnStarts,
      measuresInTicks,
      (a, b) => a.quartersPerMinute === b.quartersPerMinute,
    ),
    ticksPerQuarter,
  )
  const toSeconds = secondsAt(tempos, ticksPerQuarter)
  const measures = measuresInTicks.map((measure) => ({
    ...measure,
    startSeconds: toSeconds(measure.startTick),
  }))
  const tempo = {
    ticksPerSecondAt: ticksPerSecondAt(tempos, ticksPerQuarter),
    notesLeft: MAX_PLAYED_EVENTS,
  }
  const playedParts = parts.map((part) => playedPartOf(part, part.sounds, part.uuid, measures, tempo))
  const comping =
    options.chords === false
      ? undefined
      : compingOf(parts, columnStarts, { isWanted: options.chords, isConcertScore })
  if (comping !== undefined) {
    applyDynamics(comping, columnStarts, ticksPerQuarter)
    const notesAlone = { measures: comping.measures.map((measure) => ({ ...measure, marks: [] })) }
    playedParts.push(playedPartOf(notesAlone, compingSounds, undefined, measures, tempo))
  }

  let durationTicks = measures.at(-1)?.endTick ?? 0
  for (const { notes } of playedParts)
    for (const { endTick } of notes) durationTicks = Math.max(durationTicks, endTick)
  assertNotEndless(measures, toSeconds(durationTicks))

  const inTicks = <Written extends { column: number; at: number }>(written: readonly Written[]) =>
    written.map(({ column, at, ...content }) => ({ ...content, tick: (columnStarts[column] ?? 0) + at }))
  return {
    ticksPerQuarter,
    measures,
    tempos,
    meters: unroll(inTicks(score.meters), columnStarts, measures, (a, b) => {
      return a.beats === b.beats && a.beatType === b.beatType
    }),
    keys: unroll(inTicks(writtenKeysOf(parts, isConcertScore)), columnStarts, measures, (a, b) => {
      return a.fifths === b.fifths && a.minor === b.minor
    }),
    markers: markersOf(parts, measures),
    parts: playedParts,
    durationTicks,
    durationSeconds: toSeconds(durationTicks),
  }
}

function measuresOf(
  order: readonly PlayedColumn[],
  { columns, columnStarts }: WrittenScore,
): PlayedMeasure[] {
  let startTick = 0
  return order.map(({ index, occurrence }) => {
    const length = (columnStarts[index + 1] ?? 0) - (columnStarts[index] ?? 0)
    const { number = '', uuid } = columns[index] ?? {}
    const measure = {
      index,
      number,
      uuid,
      occurrence,
      startTick,
      endTick: startTick + length,
      startSeconds: 0,
    }
    startTick = measure.endTick
    return measure
  })
}

function assertPlayable(
  order: readonly PlayedColumn[],
  { parts, columns, columnStarts }: WrittenScore,
  tempos: readonly WrittenTempo[],
): void {
  const events = new Array<number>(columns.length).fill(0)
  const add = (column: number, count: number) => {
    events[column] = (events[column] ?? 0) + count
  }
  for (const { measures } of parts) {
    for (const [column, { notes, marks }] of measures.entries()) {
      add(
        column,
        notes.reduce((count, { lyrics }) => count + 1 + lyrics.length, marks.length),
      )
    }
  }
  for (const { tick } of tempos) add(Math.min(columns.length - 1, placeAt(columnStarts, tick)), 1)
  let total = 0
  for (const { index } of order) {
    total += events[index] ?? 0
    if (total > MAX_PLAYED_EVENTS) {
      tooMuch(`has more than ${MAX_PLAYED_EVENTS} notes and marks`, columns[index]?.number ?? '')
    }
  }
}

function assertNotEndless(measures: readonly PlayedMeasure[], seconds: number): void {
  if (seconds <= MAX_DURATION_SECONDS) return
  const late = measures.find(({ startSeconds }) => startSeconds > MAX_DURATION_SECONDS) ?? measures.at(-1)
  tooMuch('lasts more than 24 hours', late?.number ?? '')
}
