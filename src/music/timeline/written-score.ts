import { child, childrenNamed, measuresOf, partsOf, type ScoreDocument } from '../model/document.ts'
import { readPart } from './part-reader.ts'
import { applyOrnaments } from './ornaments.ts'
import type { PlaybackOptions } from './playback-options.ts'
import { type PartSounds, partSoundsOf } from './part-sounds.ts'
import { meterAt, type WrittenMeter, writtenMetersOf } from './signatures.ts'
import { applySwing } from './swing.ts'
import { ticksPerQuarterOf } from './ticks.ts'
import type { WrittenPart } from './written.ts'

/** All parts as written, every measure once, in one grid of ticks. */
export interface WrittenScore {
  readonly ticksPerQuarter: number
  readonly parts: readonly WrittenScorePart[]
  readonly columns: readonly Column[]
  /** The start of each column, and the end of the score. */
  readonly columnStarts: readonly number[]
  readonly meters: readonly WrittenMeter[]
  /** The score shows sounding pitches (MusicXML 4.0, element `concert-score`). */
  readonly isConcertScore: boolean
}

export interface WrittenScorePart extends WrittenPart {
  readonly sounds: PartSounds
  readonly uuid: string | undefined
}

/** The measures of all parts at one place of the score. */
export interface Column {
  readonly number: string
  readonly uuid: string | undefined
}

/**
 * Reads all parts. A column is as long as its longest measure. If all measures are empty, it is as long as
 * the time signature demands.
 */
export function writtenScoreOf(document: ScoreDocument, options: PlaybackOptions): WrittenScore {
  const ticksPerQuarter = ticksPerQuarterOf(document)
  const defaults = child(document.root, 'defaults')
  const isConcertScore = defaults !== undefined && child(defaults, 'concert-score') !== undefined
  const partList = child(document.root, 'part-list')
  const scoreParts = partList ? childrenNamed(partList, 'score-part') : []

  const columns: Column[] = []
  const parts = partsOf(document).map((part, place) => {
    const id = part.attributes.id ?? ''
    const scorePart = scoreParts.find(({ attributes }) => attributes.id === id) ?? scoreParts[place]
    const sounds = partSoundsOf(scorePart, id, place + 1)
    for (const measure of measuresOf(part).slice(columns.length)) {
      columns.push({ number: measure.attributes.number ?? `${columns.length + 1}`, uuid: measure.uuid })
    }
    const written = readPart(part, { sounds, ticksPerQuarter, isConcertScore, ...options })
    if (options.ornaments !== false) applyOrnaments(written, sounds, ticksPerQuarter)
    return { ...written, sounds, uuid: part.uuid }
  })
  const meters = writtenMetersOf(parts)
  const columnStarts = startsOf(columns, parts, meters, ticksPerQuarter)
  if (options.swing !== false) applySwing(parts, { ticksPerQuarter, columnStarts, meters })
  return { ticksPerQuarter, parts, columns, columnStarts, meters, isConcertScore }
}

function startsOf(
  columns: readonly Column[],
  parts: readonly WrittenPart[],
  meters: readonly WrittenMeter[],
  ticksPerQuarter: number,
): number[] {
  const starts = [0]
  let start = 0
  const meterOf = meterAt(meters)
  for (const column of columns.keys()) {
    const meter = meterOf(column)
    const length = parts.reduce(
      (longest, { measures }) => Math.max(longest, measures[column]?.length ?? 0),
      0,
    )
    start += length > 0 ? length : Math.round((meter.beats * 4 * ticksPerQuarter) / meter.beatType)
    starts.push(start)
  }
  return starts
}
