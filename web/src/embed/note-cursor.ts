import type { PartMeasure, Score, ScorePart, Voice, VoiceNote } from './document/score.ts'

/** Where the cursor is: indexes from 0. */
export interface CursorPlace {
  readonly partIdx: number
  readonly staffIdx: number
  readonly voiceIdxInStaff: number
  readonly measureIdx: number
  readonly noteIdx: number
}

export const startPlace: CursorPlace = {
  partIdx: 0,
  staffIdx: 0,
  voiceIdxInStaff: 0,
  measureIdx: 0,
  noteIdx: 0,
}

const indexNames = Object.keys(startPlace) as (keyof CursorPlace)[]

/** What is at a place. A voice can be without notes in a measure. */
export interface AtCursor {
  readonly part: ScorePart
  readonly measure: PartMeasure
  readonly voice: Voice
  readonly note: VoiceNote | undefined
}

const voicesOfStaff = (part: ScorePart, staff: number): Voice[] =>
  part.voices.filter((voice) => voice.staff === staff)

export const notesOf = (measure: PartMeasure, voice: Voice): readonly VoiceNote[] =>
  measure.voices.find((one) => one.voice === voice)?.notes ?? []

/** Returns what is at a place; undefined if the score has no notes there. */
export function lookUp({ parts }: Score, place: CursorPlace): AtCursor | undefined {
  const part = parts[place.partIdx]
  const measure = part?.measures[place.measureIdx]
  const voice = part && voicesOfStaff(part, place.staffIdx)[place.voiceIdxInStaff]
  if (!part || !measure || !voice) return undefined
  return { part, measure, voice, note: notesOf(measure, voice)[place.noteIdx] }
}

/**
 * Returns the place with the given values. Those that are missing stay. A note after the last one of the voice becomes the last one.
 * @throws Error for a value that is no number, or for a place that the score does not have
 */
export function changedPlace(
  score: Score,
  place: CursorPlace,
  wanted: Readonly<Record<string, unknown>>,
): CursorPlace {
  const next: { -readonly [Name in keyof CursorPlace]: number } = { ...place }
  for (const name of indexNames) {
    const value = wanted[name]
    if (value === undefined) continue
    if (typeof value !== 'number')
      throw new Error(`Parameter ${name} should be a number, not ${value === null ? 'null' : typeof value}`)
    next[name] = value
  }
  const byUuid = (name: string, uuids: readonly string[]): number | undefined => {
    const at = typeof wanted[name] === 'string' ? uuids.indexOf(wanted[name]) : -1
    return at < 0 ? undefined : at
  }
  if (wanted.partIdx === undefined)
    next.partIdx =
      byUuid(
        'partUuid',
        score.parts.map(({ uuid }) => uuid),
      ) ?? next.partIdx
  const part = inRange('partIdx', score.parts, next.partIdx)
  if (wanted.measureIdx === undefined)
    next.measureIdx = byUuid('measureUuid', score.measureUuids) ?? next.measureIdx
  const measure = inRange('measureIdx', part.measures, next.measureIdx)
  if (wanted.staffIdx === undefined) next.staffIdx = byUuid('staffUuid', part.staves) ?? next.staffIdx
  // Another part may have fewer staves and voices.
  if (wanted.staffIdx === undefined && next.staffIdx >= part.staves.length) next.staffIdx = 0
  inRange('staffIdx', part.staves, next.staffIdx)
  const voices = voicesOfStaff(part, next.staffIdx)
  const ofUuid = byUuid(
    'voiceUuid',
    voices.map(({ uuid }) => uuid),
  )
  if (wanted.voiceIdxInStaff === undefined) next.voiceIdxInStaff = ofUuid ?? next.voiceIdxInStaff
  if (wanted.voiceIdxInStaff === undefined && next.voiceIdxInStaff >= voices.length) next.voiceIdxInStaff = 0
  const voice = inRange('voiceIdxInStaff', voices, next.voiceIdxInStaff)
  if (!Number.isInteger(next.noteIdx) || next.noteIdx < 0)
    throw new Error(`Parameter noteIdx is out of range: ${next.noteIdx}`)
  next.noteIdx = Math.max(0, Math.min(next.noteIdx, notesOf(measure, voice).length - 1))
  return next
}

function inRange<Item>(name: string, items: readonly Item[], index: number): Item {
  const item = items[index]
  if (item === undefined) throw new Error(`Parameter ${name} is out of range: ${index}`)
  return item
}

/** Returns the place of the next or the previous note of the voice; the same place at the end of the score. */
export function neighbour(score: Score, place: CursorPlace, direction: 1 | -1): CursorPlace {
  const part = score.parts[place.partIdx]
  const voice = lookUp(score, place)?.voice
  if (!part || !voice) return place
  const count = (measureIdx: number) => {
    const measure = part.measures[measureIdx]
    return measure ? notesOf(measure, voice).length : 0
  }
  const noteIdx = place.noteIdx + direction
  if (noteIdx >= 0 && noteIdx < count(place.measureIdx)) return { ...place, noteIdx }
  for (let at = place.measureIdx + direction; at >= 0 && at < part.measures.length; at += direction)
    if (count(at) > 0) return { ...place, measureIdx: at, noteIdx: direction > 0 ? 0 : count(at) - 1 }
  return place
}

/** Returns the index of the note of a voice that sounds at a time of its measure, in quarters; 0 before the first one. */
export function noteAt(measure: PartMeasure, voice: Voice, quarters: number): number {
  const rounding = 1e-3
  return Math.max(
    0,
    notesOf(measure, voice).findLastIndex(({ onset }) => onset <= quarters + rounding),
  )
}

/** Returns the place of a note that was clicked, by its id on the pages. */
export function placeOfNote({ parts }: Score, id: string): CursorPlace | undefined {
  for (const [partIdx, part] of parts.entries())
    for (const [measureIdx, measure] of part.measures.entries()) {
      if (!id.startsWith(`${measure.uuid}-${part.uuid}-`)) continue
      for (const { voice, notes } of measure.voices) {
        const noteIdx = notes.findIndex(({ ids }) => ids.includes(id))
        if (noteIdx < 0) continue
        const voiceIdxInStaff = voicesOfStaff(part, voice.staff).indexOf(voice)
        return { partIdx, staffIdx: voice.staff, voiceIdxInStaff, measureIdx, noteIdx }
      }
    }
  return undefined
}
