import {
  isSamePitch,
  type Pitch,
  pitchedNote,
  pitchOfNote,
  tupletRatioOf,
  valueOfNote,
} from '../note-element.ts'
import type { Outcome } from '../operation.ts'
import { fullEvents, setEvents } from '../overwrite.ts'
import { findPosition, isRestEvent, writtenVoice } from '../part-editor.ts'
import type { Position } from '../positions.ts'
import { refuse } from '../refusal.ts'
import type { Session } from '../session.ts'
import { chordOf } from './chord-notes.ts'
import { eventAt, pitchFor } from './insert.ts'

/** Adds a note to the chord at a place. */
export interface AddChordNote {
  readonly type: 'addChordNote'
  readonly at: Position
  readonly pitch: Pitch
}

export function addChordNote(session: Session, { at, pitch }: AddChordNote): Outcome {
  const found = findPosition(session, at)
  const { editor, index, staff, voice } = found
  const event = eventAt(found)
  const [first] = event?.notes ?? []
  if (event === undefined || first === undefined || isRestEvent(event)) refuse('notANote')
  if (event.notes.some((note) => isSamePitch(pitchOfNote(note), pitch))) refuse('alreadyThere')
  const written = writtenVoice(editor, staff, voice)
  const value = { value: valueOfNote(first), ratio: tupletRatioOf(first) }
  const note = pitchedNote(pitchFor(found, pitch), { ...written, ...value })
  const added = { ...event, notes: chordOf([...event.notes, note], first) }
  setEvents(
    editor,
    found,
    fullEvents(editor, found).map((one) => (one === event ? added : one)),
  )
  return { notes: [{ part: at.part, index, staff, voice, onset: at.onset, pitch }], caret: at }
}
