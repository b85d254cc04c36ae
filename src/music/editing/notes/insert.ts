import { childrenNamed, type Element } from '../../model/document.ts'
import { leaf, node } from '../../model/element.ts'
import type { Event } from '../measure-model.ts'
import {
  notationsOf,
  type Pitch,
  pitchedNote,
  pitchElement,
  restNote,
  withChildren,
  withNotation,
} from '../note-element.ts'
import type { Outcome } from '../operation.ts'
import { type FoundPosition, findPosition, isRestEvent, streamPlace, writtenVoice } from '../part-editor.ts'
import { stateAfter } from '../part-state.ts'
import type { Position } from '../positions.ts'
import { refuse } from '../refusal.ts'
import type { Session } from '../session.ts'
import { isNoteType, type NoteValue } from '../values.ts'
import { type Placed, placeNotes } from './place.ts'

/** Writes a note in the place of what is there at that time. Of a note that begins there, the lyrics and the slurs stay. */
export interface InsertNote {
  readonly type: 'insertNote'
  readonly at: Position
  readonly value: NoteValue
  readonly pitch: Pitch
}

/** Writes a rest in the place of what is there at that time. */
export interface InsertRest {
  readonly type: 'insertRest'
  readonly at: Position
  readonly value: NoteValue
}

/** Gives the notes or the rest at a place another value. A shorter one leaves rests, a longer one replaces what follows. */
export interface SetValue {
  readonly type: 'setValue'
  readonly at: Position
  readonly value: NoteValue
}

export function insertNote(session: Session, { at, value, pitch }: InsertNote): Outcome {
  const found = findPosition(session, at)
  checkValue(value)
  const present = eventAt(found)
  const written = writtenVoice(found.editor, found.staff, found.voice)
  const note = pitchedNote(pitchFor(found, pitch), { ...written, value })
  const kept = present && !isRestEvent(present) ? withKept(note, present.notes) : note
  return outcomeOf(found, placeNotes(found, value, [kept]))
}

/** The lyrics and the slurs of the notes before stay. */
function withKept(note: Element, before: readonly Element[]): Element {
  const lyrics = before.flatMap((one) => childrenNamed(one, 'lyric'))
  const slurs = before.flatMap(notationsOf).filter(({ name }) => name === 'slur')
  return slurs.reduce(withNotation, withChildren(note, 'lyric', lyrics))
}

export function insertRest(session: Session, { at, value }: InsertRest): Outcome {
  const found = findPosition(session, at)
  checkValue(value)
  const written = writtenVoice(found.editor, found.staff, found.voice)
  return outcomeOf(found, placeNotes(found, value, [restNote({ ...written, value })]))
}

export function setValue(session: Session, { at, value }: SetValue): Outcome {
  const found = findPosition(session, at)
  checkValue(value)
  const present = eventAt(found)
  if (present === undefined) refuse('noSuchPosition')
  if (isRestEvent(present)) return insertRest(session, { type: 'insertRest', at, value })
  const { notes } = placeNotes(found, value, present.notes)
  return { notes, caret: at }
}

/** The event that begins at a place. Not a grace note. */
export function eventAt({ editor, index, staff, voice, onset }: FoundPosition): Event | undefined {
  const stream = editor.modelAt(index).streams[streamPlace(editor, index, staff, voice)]
  return stream?.events.find((event) => event.onset === onset && !event.isGrace)
}

/** Where typing goes on. */
function outcomeOf({ editor, staff, voice }: FoundPosition, { notes, next }: Placed): Outcome {
  const measure = editor.measures[next.index]?.uuid ?? ''
  return { notes, caret: { part: editor.uuid, measure, staff, voice, onset: next.onset } }
}

/** @throws Refusal `invalidValue` */
export function checkValue({ type, dots }: NoteValue): void {
  if (!isNoteType(type) || !Number.isInteger(dots) || dots < 0 || dots > 3) refuse('invalidValue')
}

/**
 * The element of a pitch: a pitch, or a place on a percussion staff.
 * @throws Refusal `pitchOutOfRange`
 */
export function pitchFor({ editor, index, staff, onset }: FoundPosition, pitch: Pitch): Element {
  const { step, alter, octave } = pitch
  const isPitch = /^[A-G]$/.test(step) && Number.isInteger(octave) && Number.isInteger(2 * alter)
  if (!isPitch || octave < 0 || octave > 9 || Math.abs(alter) > 2) refuse('pitchOutOfRange')
  let state = editor.stateAt(index)
  for (const mark of editor.modelAt(index).marks)
    if (mark.element.name === 'attributes' && mark.onset <= onset) state = stateAfter(mark.element, state)
  if (state.clefs.get(staff)?.sign !== 'percussion') return pitchElement(pitch)
  return node('unpitched', [leaf('display-step', step), leaf('display-octave', octave)])
}
