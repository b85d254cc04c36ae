import {
  childrenNamed,
  childText,
  type Element,
  measuresOf,
  partsOf,
  type ScoreDocument,
} from '../model/document.ts'
import { walkMeasure } from '../model/measure-walk.ts'
import { miniKeyOf } from './written-key.ts'

/** An onset, in quarter notes from the beginning. */
export interface KeyOnset {
  readonly quarter: number
  /** MIDI key. */
  readonly key: number
}

interface WrittenOnset extends KeyOnset {
  /** The end of a trill, which stands for several notes. */
  readonly trillEnd: number | undefined
}

/** A 32nd note. */
const NEAR = 1 / 8

/**
 * The share of the played notes that a score has: with the same key, and an onset within a 32nd note. Notes under a trill count as
 * written. Silence at the beginning that the score leaves out does not matter.
 */
export function shareOfOnsets(document: ScoreDocument, played: readonly KeyOnset[]): number {
  const written = writtenOnsets(document)
  const shift = Math.round(firstOf(played) - firstOf(written))
  const byKey = Map.groupBy(written, ({ key }) => key)
  const trills = written.filter(({ trillEnd }) => trillEnd !== undefined)
  let found = 0
  for (const [key, notes] of Map.groupBy(played, (note) => note.key)) {
    const own = (byKey.get(key) ?? []).map(({ quarter }) => quarter + shift).sort((a, b) => a - b)
    let next = 0
    for (const { quarter } of notes.toSorted((a, b) => a.quarter - b.quarter)) {
      while (next < own.length && (own[next] as number) < quarter - NEAR) next += 1
      if (next < own.length && (own[next] as number) <= quarter + NEAR) {
        found += 1
        next += 1
      } else if (trills.some((trill) => isUnder(trill, { key, quarter: quarter - shift }))) found += 1
    }
  }
  return found / played.length
}

const firstOf = (onsets: readonly KeyOnset[]) =>
  onsets.reduce((first, { quarter }) => Math.min(first, quarter), Number.POSITIVE_INFINITY)

const isUnder = (trill: WrittenOnset, { key, quarter }: KeyOnset) =>
  key >= trill.key &&
  key <= trill.key + 2 &&
  quarter >= trill.quarter - NEAR &&
  quarter <= (trill.trillEnd ?? 0) + NEAR

function writtenOnsets(document: ScoreDocument): WrittenOnset[] {
  const onsets: WrittenOnset[] = []
  const scoreParts = document.root.children
    .filter(({ name }) => name === 'part-list')
    .flatMap((list) => childrenNamed(list, 'score-part'))
  const lengths = measuresOf(partsOf(document)[0] as Element).map(() => 0)
  const parts = partsOf(document).map((part, index) => ({ part, keyOf: miniKeyOf(scoreParts[index], part) }))
  for (const { part } of parts) {
    let divisions = 1
    for (const [index, measure] of measuresOf(part).entries()) {
      const walked = walkMeasure(measure, divisions, () => {})
      divisions = walked.divisions
      lengths[index] = Math.max(lengths[index] ?? 0, walked.length)
    }
  }
  for (const { part, keyOf } of parts) {
    let divisions = 1
    let start = 0
    for (const [index, measure] of measuresOf(part).entries()) {
      walkMeasure(measure, divisions, (note, onset, duration) => {
        const key = note.name === 'note' ? keyOf(note) : undefined
        const isContinued = childrenNamed(note, 'tie').some(({ attributes }) => attributes.type === 'stop')
        if (key === undefined || isContinued) return
        const trillEnd = hasTrill(note) ? start + onset + duration : undefined
        onsets.push({ quarter: start + onset, key, trillEnd })
      })
      divisions = Number(
        measure.children.map((one) => childText(one, 'divisions')).find((text) => text) ?? divisions,
      )
      start += lengths[index] ?? 0
    }
  }
  return onsets
}

const hasTrill = (note: Element): boolean =>
  childrenNamed(note, 'notations').some((notations) =>
    childrenNamed(notations, 'ornaments').some(
      (ornaments) => childrenNamed(ornaments, 'trill-mark').length > 0,
    ),
  )
