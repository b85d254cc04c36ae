import { childText, type Element, measuresOf, partsOf, type ScoreDocument } from '../model/document.ts'
import { noteIdOf } from '../model/note-ids.ts'
import { type Event, type MeasureModel, readMeasure, type Stream } from './measure-model.ts'
import { isRestNote, type WrittenVoice } from './note-element.ts'
import { initialState, type PartState, stateAfter, stateAfterMeasure } from './part-state.ts'
import { parsedNoteId, type Position } from './positions.ts'
import { refuse } from './refusal.ts'
import { type MeasureMeter, TICKS_PER_QUARTER } from './values.ts'

const usualTime = { beats: 4, beatType: 4, length: 4 * TICKS_PER_QUARTER }

/** A part while its measures are read and replaced. The document itself does not change. */
export interface PartEditor {
  readonly part: Element
  readonly uuid: string
  readonly measures: readonly Element[]
  /** The measures that were replaced, by index. */
  readonly changed: ReadonlyMap<number, MeasureModel>
  /** What holds at the start of a measure, with the attributes that are written before its first note. */
  stateAt(index: number): PartState
  modelAt(index: number): MeasureModel
  /** The measure before the operation. */
  originalAt(index: number): MeasureModel
  replace(index: number, model: MeasureModel): void
  /** What held at the start of a measure before the operation. */
  originalStateAt(index: number): PartState
  /** What held after the measure before, before the operation. */
  originalStateBefore(index: number): PartState
  /** @throws Refusal `noSuchMeasure` */
  indexOfMeasure(uuid: string): number
  /** -1 if the part has no such measure. */
  findMeasure(uuid: string): number
  meterAt(index: number): MeasureMeter
  /** The length of a measure in ticks before the operation. */
  originalLengthAt(index: number): number
  /** The names of the voices of a staff in the whole part, in the order of their numbers. */
  voicesOfStaff(staff: number): readonly (string | undefined)[]
  /** The staff to which the voice of a stream belongs. Some of its notes can be on another one. */
  staffOf(stream: Stream): number
}

type StavesOfVoices = Map<string | undefined, Set<number>>

/**
 * The staves of each voice of a part: the one with most of its notes, or several if voices of the same name are in several staves at the
 * same time.
 */
function readStaves(models: readonly MeasureModel[]): StavesOfVoices {
  const counts = new Map<string | undefined, Map<number, number>>()
  const staves = new Map<string | undefined, Set<number>>()
  for (const { streams } of models) {
    for (const [place, { voice, staff, events }] of streams.entries()) {
      if (events.length === 0) continue
      const ofVoice = counts.get(voice) ?? new Map<number, number>()
      counts.set(voice, ofVoice.set(staff, (ofVoice.get(staff) ?? 0) + events.length))
      const other = streams.find(
        (one, index) => index !== place && one.voice === voice && one.staff !== staff,
      )
      if (other) staves.set(voice, (staves.get(voice) ?? new Set<number>()).add(staff).add(other.staff))
    }
  }
  for (const [voice, ofVoice] of counts) {
    const [most] = [...ofVoice].sort(([, a], [, b]) => b - a)
    if (!staves.has(voice) && most) staves.set(voice, new Set([most[0]]))
  }
  return staves
}

/** What holds after the attributes of a measure up to a time. The divisions of a measure are not among its marks. */
function stateAfterMarks({ marks }: MeasureModel, onset: number, before: PartState): PartState {
  return marks.reduce(
    (state, mark) =>
      mark.element.name === 'attributes' && mark.onset <= onset ? stateAfter(mark.element, state) : state,
    before,
  )
}

/** @throws Refusal `noSuchPart` */
export function editPart(document: ScoreDocument, uuid: string): PartEditor {
  const part = partsOf(document).find((one) => one.uuid === uuid) ?? refuse('noSuchPart')
  const measures = measuresOf(part)
  const changed = new Map<number, MeasureModel>()
  /** The state before each measure. Only what operations do not change is kept. */
  const states: PartState[] = [initialState]
  const stateBefore = (index: number): PartState => {
    for (let at = states.length; at <= index; at++) {
      const [measure, before] = [measures[at - 1], states[at - 1]]
      if (measure && before) states.push(stateAfterMeasure(measure, before))
    }
    return states[index] ?? initialState
  }
  const editor: PartEditor = {
    part,
    uuid,
    measures,
    changed,
    originalStateBefore: stateBefore,
    originalStateAt(index) {
      let state = stateBefore(index)
      for (const element of measures[index]?.children ?? []) {
        if (element.name === 'note' || element.name === 'forward') break
        if (element.name === 'attributes') state = stateAfter(element, state)
      }
      return state
    },
    stateAt(index) {
      const first = Math.min(...changed.keys())
      if (index < first) return editor.originalStateAt(index)
      let state = stateBefore(first)
      for (let at = first; at < index; at++)
        state = stateAfterMarks(editor.modelAt(at), Number.POSITIVE_INFINITY, state)
      return stateAfterMarks(editor.modelAt(index), 0, state)
    },
    modelAt: (index) => changed.get(index) ?? editor.originalAt(index),
    originalAt: (index) =>
      readMeasure(measures[index] ?? refuse('noSuchMeasure'), stateBefore(index).divisions),
    replace(index, model) {
      changed.set(index, model)
      for (const { voice, staff } of model.streams)
        if (!stavesOfVoices().has(voice)) stavesOfVoices().set(voice, new Set([staff]))
    },
    findMeasure: (measure) => measures.findIndex((one) => one.uuid === measure),
    indexOfMeasure(measure) {
      const index = editor.findMeasure(measure)
      return index >= 0 ? index : refuse('noSuchMeasure')
    },
    originalLengthAt(index) {
      const time = editor.originalStateAt(index).time ?? usualTime
      return editor.originalAt(index).end || time.length
    },
    meterAt(index) {
      const time = editor.stateAt(index).time ?? usualTime
      const { end } = editor.modelAt(index)
      const length = end > 0 ? end : time.length
      const isFirst = index === 0 || measures[index]?.attributes.implicit === 'yes'
      return { beats: time.beats, beatType: time.beatType, length, isPickup: isFirst && length < time.length }
    },
    voicesOfStaff(staff) {
      const voices = [...stavesOfVoices()].flatMap(([voice, staves]) => (staves.has(staff) ? [voice] : []))
      return voices.sort((a, b) => Number(a ?? 1) - Number(b ?? 1))
    },
    staffOf(stream) {
      const staves = stavesOfVoices().get(stream.voice)
      const [only] = staves ?? []
      return staves?.size === 1 && only !== undefined ? only : stream.staff
    },
  }
  let staves: StavesOfVoices | undefined
  const stavesOfVoices = (): StavesOfVoices => {
    staves ??= readStaves(measures.map((_, index) => editor.originalAt(index)))
    return staves
  }
  return editor
}

/** The place of the stream of a voice in a measure. -1 if the measure has no such voice. */
export function streamPlace(editor: PartEditor, index: number, staff: number, voice: number): number {
  const { streams } = editor.modelAt(index)
  const name = editor.voicesOfStaff(staff)[voice - 1]
  if (voice > editor.voicesOfStaff(staff).length) return -1
  return streams.findIndex((stream) => stream.voice === name && editor.staffOf(stream) === staff)
}

/** The voice of a stream in its staff, from 1. */
export function voiceOfStream(editor: PartEditor, stream: Stream): number {
  return editor.voicesOfStaff(editor.staffOf(stream)).indexOf(stream.voice) + 1
}

/** The name of a voice for new notes. A voice that the part does not have yet gets a number that no other voice has. */
export function writtenVoice(editor: PartEditor, staff: number, voice: number): WrittenVoice {
  const present = editor.voicesOfStaff(staff)
  const { staves } = editor.stateAt(0)
  const hasStaves = staves > 1
  if (voice <= present.length) return { voice: present[voice - 1], staff, hasStaves }
  const used = new Set<string | undefined>()
  for (let other = 1; other <= staves; other++) for (const name of editor.voicesOfStaff(other)) used.add(name)
  // Four voices a staff, as in most programs.
  let number = (staff - 1) * 4 + voice
  while (used.has(String(number))) number += 1
  return { voice: String(number), staff, hasStaves }
}

/** Gives the editor of a part. */
interface PartsOfSession {
  /** @throws Refusal `noSuchPart` */
  part(uuid: string): PartEditor
}

export interface FoundPosition {
  readonly editor: PartEditor
  /** The index of the measure. */
  readonly index: number
  readonly staff: number
  readonly voice: number
  readonly onset: number
}

/** @throws Refusal if there is no such place */
export function findPosition(session: PartsOfSession, position: Position): FoundPosition {
  const { staff, voice, onset } = position
  const editor = session.part(position.part)
  const index = editor.indexOfMeasure(position.measure)
  const isInside = onset >= 0 && onset < editor.meterAt(index).length
  const isPlace = Number.isInteger(onset) && staff >= 1 && staff <= editor.stateAt(index).staves
  if (!isInside || !isPlace || !(voice >= 1 && voice <= 4)) refuse('noSuchPosition')
  return { editor, index, staff, voice, onset }
}

/** A note in its measure. */
export interface FoundNote {
  readonly index: number
  readonly stream: number
  readonly event: number
  /** The place in the chord. */
  readonly note: number
  readonly element: Element
}

/** @throws Refusal if the part has no such note */
export function findNote(editor: PartEditor, id: string): FoundNote {
  const parsed = parsedNoteId(id)
  if (parsed === undefined || parsed.part !== editor.uuid) refuse('noSuchNote')
  const index = editor.indexOfMeasure(parsed.measure)
  const element = editor.measures[index]?.children.filter(({ name }) => name === 'note')[parsed.index]
  if (element === undefined) refuse('noSuchNote')
  for (const [stream, { events }] of editor.modelAt(index).streams.entries())
    for (const [event, { notes }] of events.entries()) {
      const note = notes.indexOf(element)
      if (note >= 0) return { index, stream, event, note, element }
    }
  return refuse('noSuchNote')
}

/** The ids of notes in a measure, by their elements. */
export function noteIdsIn(measure: Element, part: string): Map<Element, string> {
  const ids = new Map<Element, string>()
  for (const element of measure.children)
    if (element.name === 'note') ids.set(element, noteIdOf(measure.uuid ?? '', part, ids.size))
  return ids
}

/** Replaces the events of a stream of a measure. */
export function withEvents(model: MeasureModel, stream: number, events: readonly Event[]): MeasureModel {
  const present = model.streams[stream]
  if (present === undefined) return model
  return { ...model, streams: model.streams.with(stream, { ...present, events }) }
}

export const isRestEvent = ({ notes: [first] }: Event): boolean => first !== undefined && isRestNote(first)

/** Whether a rest fills its measure as such. */
export const isMeasureRest = ({ notes: [first] }: Event): boolean =>
  first !== undefined && isRestNote(first) && childText(first, 'type') === undefined
