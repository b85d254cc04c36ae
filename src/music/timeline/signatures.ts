import { placeAt } from '../../lib/numbers.ts'
import { child, childText, type Element } from '../model/document.ts'
import { concertFifths } from '../model/key-signature.ts'
import { numberOf, type WrittenPart } from './written.ts'

interface Meter {
  readonly beats: number
  readonly beatType: number
}

export interface WrittenMeter extends Meter {
  readonly column: number
  readonly at: number
}

export interface WrittenKey {
  readonly column: number
  readonly at: number
  readonly fifths: number
  readonly minor: boolean
}

/**
 * The time signatures in score order (MusicXML 4.0, element `time`), from the first part that has one in a
 * measure. Additive ones are added up. `senza-misura` has no meter.
 */
export function writtenMetersOf(parts: readonly WrittenPart[]): WrittenMeter[] {
  return firstInEachColumn(parts, () => (attributes) => {
    const time = child(attributes, 'time')
    return time && meterOf(time)
  })
}

const usualMeter = { beats: 4, beatType: 4 }

/** The meter of each column: the last one that is written up to it, 4/4 before any. `meters` are in score order. */
export function meterAt(meters: readonly WrittenMeter[]): (column: number) => Meter {
  const columns = meters.map(({ column }) => column)
  return (column) => meters[placeAt(columns, column)] ?? usualMeter
}

/** Beyond this no number of beats, and no note value, is music. */
const LARGEST_IN_METER = 1024

function meterOf(time: Element): Meter | undefined {
  let beats = 0
  const fractions: Meter[] = []
  for (const { name, text } of time.children) {
    if (name === 'beats') beats = (text.match(/\d+/g) ?? []).reduce((sum, count) => sum + Number(count), 0)
    if (name !== 'beat-type') continue
    const beatType = numberOf(text) ?? 0
    const isMusic = beats > 0 && Math.max(beats, beatType) <= LARGEST_IN_METER
    if (isMusic && Number.isInteger(beatType) && beatType > 0) fractions.push({ beats, beatType })
  }
  const finest = fractions.reduce((most, { beatType }) => Math.max(most, beatType), 0)
  const total = fractions.reduce((sum, fraction) => sum + (fraction.beats * finest) / fraction.beatType, 0)
  return finest > 0 && Number.isInteger(total) ? { beats: total, beatType: finest } : undefined
}

/**
 * The key signatures in score order at concert pitch (MusicXML 4.0, element `key`), from the first part that
 * has one in a measure. Non-traditional keys (`key-step`) are left out. A score in concert pitch shows them so already.
 */
export function writtenKeysOf(parts: readonly WrittenPart[], isConcertScore: boolean): WrittenKey[] {
  return firstInEachColumn(parts, () => {
    let transpose: Element | undefined
    return (attributes) => {
      if (!isConcertScore) transpose = child(attributes, 'transpose') ?? transpose
      const key = child(attributes, 'key')
      const fifths = key && numberOf(childText(key, 'fifths'))
      if (key === undefined || fifths === undefined) return undefined
      return {
        fifths: concertFifths(Math.round(fifths), transpose),
        minor: childText(key, 'mode') === 'minor',
      }
    }
  })
}

type Placed<Content> = Content & { readonly column: number; readonly at: number }

/**
 * Reads the `attributes` of each part in order with a separate reader, and returns the first result of each.
 */
function firstInEachColumn<Content extends object>(
  parts: readonly WrittenPart[],
  readerOfPart: () => (attributes: Element) => Content | undefined,
): Placed<Content>[] {
  const byColumn = new Map<number, Placed<Content>[]>()
  for (const part of parts) {
    const read = readerOfPart()
    for (const [column, { marks }] of part.measures.entries()) {
      const inColumn: Placed<Content>[] = []
      for (const { element, at } of marks) {
        const content = element.name === 'attributes' ? read(element) : undefined
        if (content !== undefined) inColumn.push({ ...content, column, at })
      }
      if (inColumn.length > 0 && !byColumn.has(column)) byColumn.set(column, inColumn)
    }
  }
  return [...byColumn.values()].flat().sort((a, b) => a.column - b.column || a.at - b.at)
}
