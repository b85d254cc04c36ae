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
  indexOfMeasure(uuid: string): number
  meterAt(index: number): MeasureMeter
  /** The names of the voices of a staff in the whole part, in the order of their numbers. */
  voicesOfStaff(staff: number): readonly (string | undefined)[]
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
    stateAt(index) {
      let state = stateBefore(index)
      for (const element of measures[index]?.children ?? []) {
        if (element.name === 'note' || element.name === 'forward') break
        if (element.name === 'attributes') state = stateAfter(element, state)
      }
      return state
    },
    modelAt: (index) => changed.get(index) ?? editor.originalAt(index),
    originalAt: (index) =>
      readMeasure(measures[index] ?? refuse('noSuchMeasure'), stateBefore(index).divisions),
    replace(index, model) {
      changed.set(index, model)
    },
    indexOfMeasure(measure) {
      const index = measures.findIndex((one) => one.uuid === measure)
      return index >= 0 ? index : refuse('noSuchMeasure')
    },
    meterAt(index) {
      const time = editor.stateAt(index).time ?? usualTime
      const { end } = editor.modelAt(index)
      const length = end > 0 ? end : time.length
      const isFirst = index === 0 || measures[index]?.attributes.implicit === 'yes'
      return { beats: time.beats, beatType: time.beatType, length, isPickup: isFirst && length < time.length }
    },
    voicesOfStaff(staff) {
      const voices = new Set<string | undefined>()
      for (const index of measures.keys())
        for (const stream of editor.modelAt(index).streams)
          if (stream.staff === staff) voices.add(stream.voice)
      return [...voices].sort((a, b) => Number(a ?? 1) - Number(b ?? 1))
    },
  }
  return editor
}

/** The place of the stream of a voice in a measure. -1 if the measure has no such voice. */
export function streamPlace(editor: PartEditor, index: number, staff: number, voice: number): number {
  const { streams } = editor.modelAt(index)
  const name = editor.voicesOfStaff(staff)[voice - 1]
  if (voice > editor.voicesOfStaff(staff).length) return -1
  return streams.findIndex((stream) => stream.staff === staff && stream.voice === name)
}

/** The voice of a stream in its staff, from 1. */
export function voiceOfStream(editor: PartEditor, { staff, voice }: Stream): number {
  return editor.voicesOfStaff(staff).indexOf(voice) + 1
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
