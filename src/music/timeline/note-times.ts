import { childrenNamed, type Element, measuresOf, partsOf, type ScoreDocument } from '../model/document.ts'
import { secondsAt, toMilliseconds } from './tempo-changes.ts'
import { timelineOf } from './timeline.ts'

/** A `note` element: the index of its measure in the score, and its place among the notes of that measure and part. */
export interface NotePlace {
  readonly measure: number
  readonly index: number
}

/** A note that sounds, with the notes and ties that are printed for it. */
export interface NoteTime {
  /** Seconds from the start of the playback, with milliseconds. */
  readonly start: number
  readonly end: number
  /** MIDI key, 0–127; 60 is middle C. */
  readonly key: number
  /** All notes of a chain of ties, in the order of playing. */
  readonly places: readonly NotePlace[]
}

export interface NoteTimes {
  /** Seconds. */
  readonly duration: number
  /** The uuids of the measures, which all parts share, in score order. */
  readonly measures: readonly string[]
  /** In score order. The notes of a part are by start. */
  readonly parts: readonly { readonly uuid: string; readonly notes: readonly NoteTime[] }[]
}

/**
 * When each printed note of a document sounds, with repeats and jumps unrolled. A note with an ornament sounds once, through the
 * whole ornament. Chord symbols are not played, and notes of a measure-repeat sign are left out, because they are not
 * printed. With `noteIdOf`, the uuids and the index of a note are its id.
 * @param document with the uuids of its parts and measures
 * @throws INVALID_MUSICXML with the measure, if repeats exceed the limits of the playback
 */
export function noteTimesOf(document: ScoreDocument): NoteTimes {
  const timeline = timelineOf(document, { ornaments: false, chords: false })
  const inSeconds = secondsAt(timeline.tempos, timeline.ticksPerQuarter)
  const time = (tick: number) => toMilliseconds(inSeconds(tick))
  const elements = partsOf(document)
  const longest = elements.map(measuresOf).reduce((a, b) => (b.length > a.length ? b : a), [])
  return {
    duration: toMilliseconds(timeline.durationSeconds),
    measures: longest.map(({ uuid = '' }) => uuid),
    parts: elements.map((part, index) => {
      const places = placesIn(part)
      const notes = (timeline.parts[index]?.notes ?? []).flatMap(({ startTick, endTick, key, elements }) => {
        const printed = elements.flatMap((element) => places.get(element) ?? [])
        if (printed.length === 0) return []
        return { start: time(startTick), end: time(endTick), key, places: printed }
      })
      return { uuid: part.uuid ?? '', notes }
    }),
  }
}

function placesIn(part: Element): Map<Element, NotePlace> {
  const places = new Map<Element, NotePlace>()
  for (const [measure, element] of measuresOf(part).entries())
    for (const [index, note] of childrenNamed(element, 'note').entries()) places.set(note, { measure, index })
  return places
}
