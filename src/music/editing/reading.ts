import {
  child,
  childrenNamed,
  childText,
  type Element,
  measuresOf,
  partsOf,
  type ScoreDocument,
} from '../model/document.ts'
import type { Event } from './measure-model.ts'
import {
  hasTie,
  type Pitch,
  pitchOfNote,
  type TupletRatio,
  tupletRatioOf,
  valueOfNote,
} from './note-element.ts'
import { verseOf } from './notes/lyric.ts'
import {
  editPart,
  findNote,
  isMeasureRest,
  isRestEvent,
  noteIdsIn,
  type PartEditor,
  streamPlace,
  voiceOfStream,
} from './part-editor.ts'
import type { Clef, Time } from './part-state.ts'
import { parsedNoteId, type Position, type VoicePlace } from './positions.ts'
import { Refusal } from './refusal.ts'
import type { NoteValue } from './values.ts'

export interface PartInfo {
  readonly uuid: string
  readonly name: string
  readonly staves: number
}

/** The parts in score order. */
export function partsIn(document: ScoreDocument): PartInfo[] {
  const list = child(document.root, 'part-list')
  const entries = list ? childrenNamed(list, 'score-part') : []
  return partsOf(document).map((part, index) => {
    const entry = entries.find(({ attributes }) => attributes.id === part.attributes.id) ?? entries[index]
    const uuid = part.uuid ?? ''
    return {
      uuid,
      name: (entry && childText(entry, 'part-name')) ?? '',
      staves: editPart(document, uuid).stateAt(0).staves,
    }
  })
}

/** The uuids and the printed numbers of the measures in score order. */
export function measuresIn(document: ScoreDocument): { readonly uuid: string; readonly number: string }[] {
  const longest = partsOf(document)
    .map(measuresOf)
    .reduce((a, b) => (b.length > a.length ? b : a), [])
  return longest.map(({ uuid = '', attributes }, index) => ({
    uuid,
    number: attributes.number ?? String(index + 1),
  }))
}

export interface MeasureInfo {
  /** In ticks. It differs from that of the time signature in a pick-up. */
  readonly length: number
  /** Undefined without a time signature. */
  readonly time: Time | undefined
  readonly staves: readonly {
    readonly clef: Clef
    /** The semitones of each altered step of the key signature. */
    readonly alterations: ReadonlyMap<string, number>
    /** The voices with notes or rests, from 1. */
    readonly voices: readonly number[]
  }[]
}

const noAlterations: ReadonlyMap<string, number> = new Map()

/** What holds at the start of a measure of a part. Undefined if there is no such measure. */
export function measureIn(document: ScoreDocument, part: string, measure: string): MeasureInfo | undefined {
  return orUndefined(() => {
    const editor = editPart(document, part)
    const index = editor.indexOfMeasure(measure)
    const { time, staves, clefs, keys } = editor.stateAt(index)
    return {
      length: editor.meterAt(index).length,
      time,
      staves: Array.from({ length: staves }, (_, place) => ({
        clef: clefs.get(place + 1) ?? { sign: 'G', line: 2, octaveChange: 0 },
        alterations: keys.get(place + 1) ?? keys.get('every') ?? noAlterations,
        voices: editor
          .modelAt(index)
          .streams.filter((stream) => editor.staffOf(stream) === place + 1 && stream.events.length > 0)
          .map((stream) => voiceOfStream(editor, stream))
          .sort((a, b) => a - b),
      })),
    }
  })
}

export interface NoteInfo {
  /** As in engraved pages (`noteIdOf`). */
  readonly id: string
  /** Undefined for a rest. */
  readonly pitch: Pitch | undefined
  /** As in MusicXML, such as `sharp`. */
  readonly accidental: string | undefined
  readonly isTiedToNext: boolean
  readonly isTiedToPrevious: boolean
}

/** A syllable under a note. */
export interface LyricInfo {
  /** From 1. */
  readonly verse: number
  readonly text: string
  /** As in MusicXML: `single`, `begin`, `middle` or `end`. */
  readonly syllabic: string
}

/** A note, a chord, or a rest. */
export interface EventInfo {
  readonly position: Position
  /** 0 for grace notes. */
  readonly ticks: number
  /** Undefined for a rest of the whole measure, and if the file does not say it. */
  readonly value: NoteValue | undefined
  readonly tuplet: TupletRatio | undefined
  readonly isRest: boolean
  readonly isGrace: boolean
  /** As written, usually from the lowest. One for a rest. */
  readonly notes: readonly NoteInfo[]
  readonly lyrics: readonly LyricInfo[]
}

/** The notes, chords and rests of a voice in a measure, in the order of time. None if the voice is not there. */
export function eventsIn(document: ScoreDocument, place: VoicePlace): EventInfo[] {
  return (
    orUndefined(() => {
      const editor = editPart(document, place.part)
      return eventsOfVoice(editor, editor.indexOfMeasure(place.measure), place.staff, place.voice)
    }) ?? []
  )
}

function eventsOfVoice(editor: PartEditor, index: number, staff: number, voice: number): EventInfo[] {
  const measure = editor.measures[index]
  const stream = editor.modelAt(index).streams[streamPlace(editor, index, staff, voice)]
  if (measure === undefined || stream === undefined) return []
  const ids = noteIdsIn(measure, editor.uuid)
  return stream.events.map((event) =>
    infoOf(event, { part: editor.uuid, measure: measure.uuid ?? '', staff, voice, onset: event.onset }, ids),
  )
}

function infoOf(event: Event, position: Position, ids: ReadonlyMap<Element, string>): EventInfo {
  const [first] = event.notes
  return {
    position,
    ticks: event.ticks,
    value: first && !isMeasureRest(event) ? valueOfNote(first) : undefined,
    tuplet: first && tupletRatioOf(first),
    isRest: isRestEvent(event),
    isGrace: event.isGrace,
    notes: event.notes.map((note) => ({
      id: ids.get(note) ?? '',
      pitch: pitchOfNote(note),
      accidental: childText(note, 'accidental'),
      isTiedToNext: hasTie(note, 'start'),
      isTiedToPrevious: hasTie(note, 'stop'),
    })),
    lyrics: event.notes.flatMap((note) => childrenNamed(note, 'lyric')).map(lyricOf),
  }
}

const lyricOf = (lyric: Element): LyricInfo => ({
  verse: verseOf(lyric),
  // Two words under one note have a text each.
  text: childrenNamed(lyric, 'text')
    .map(({ text }) => text)
    .join(' '),
  syllabic: childText(lyric, 'syllabic') ?? 'single',
})

/** The notes or the rest that sound at a place. Undefined if the voice is not there, or silent without a rest. */
export function eventAt(document: ScoreDocument, position: Position): EventInfo | undefined {
  return eventsIn(document, position).find(
    ({ position: { onset }, ticks }) => onset <= position.onset && position.onset < onset + ticks,
  )
}

/** The chord or rest of a note. Undefined if the score has no such note. */
export function eventOfNote(document: ScoreDocument, id: string): EventInfo | undefined {
  return orUndefined(() => {
    const editor = editPart(document, parsedNoteId(id)?.part ?? '')
    const { index, stream } = findNote(editor, id)
    const found = editor.modelAt(index).streams[stream]
    if (found === undefined) return undefined
    return eventsOfVoice(editor, index, editor.staffOf(found), voiceOfStream(editor, found)).find(
      ({ notes }) => notes.some((note) => note.id === id),
    )
  })
}

/** The place of the next event of a voice, over bar lines. A measure without the voice has one place. Undefined at the end. */
export function nextPosition(document: ScoreDocument, position: Position): Position | undefined {
  return orUndefined(() => {
    const editor = editPart(document, position.part)
    const index = editor.indexOfMeasure(position.measure)
    const next = onsetsIn(editor, index, position).find((onset) => onset > position.onset)
    if (next !== undefined) return { ...position, onset: next }
    const measure = editor.measures[index + 1]?.uuid
    return measure === undefined ? undefined : { ...position, measure, onset: 0 }
  })
}

/** The place of the event before, over bar lines. Undefined at the start. */
export function previousPosition(document: ScoreDocument, position: Position): Position | undefined {
  return orUndefined(() => {
    const editor = editPart(document, position.part)
    const index = editor.indexOfMeasure(position.measure)
    const before = onsetsIn(editor, index, position).findLast((onset) => onset < position.onset)
    if (before !== undefined) return { ...position, onset: before }
    const measure = editor.measures[index - 1]?.uuid
    if (measure === undefined) return undefined
    return { ...position, measure, onset: onsetsIn(editor, index - 1, position).at(-1) ?? 0 }
  })
}

/** The times at which events of a voice begin. The start of the measure is always one. */
function onsetsIn(editor: PartEditor, index: number, { staff, voice }: Position): number[] {
  const { streams } = editor.modelAt(index)
  const events = streams[streamPlace(editor, index, staff, voice)]?.events ?? []
  const onsets = events.filter(({ isGrace }) => !isGrace).map(({ onset }) => onset)
  return onsets[0] === 0 ? onsets : [0, ...onsets]
}

/** Reading refuses nothing: what is not there is undefined. */
function orUndefined<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
