import { hasTie, isRestNote, isSamePitch, pitchOfNote, withoutTie, withTie } from '../note-element.ts'
import type { Outcome } from '../operation.ts'
import { type FoundNote, isRestEvent, type PartEditor, streamPlace, voiceOfStream } from '../part-editor.ts'
import { refuse } from '../refusal.ts'
import type { SelectedNotes, Session } from '../session.ts'
import { type EventPlace, eventOf, findNotes, replaceEvent, selectionOf } from './found-notes.ts'

/** Ties notes to the next ones of their voice with the same pitch. If all are tied already, the ties are removed. */
export interface ToggleTie {
  readonly type: 'toggleTie'
  readonly notes: readonly string[]
}

/** @throws Refusal `noNextNote` if a note has no next one with its pitch */
export function toggleTie(session: Session, { notes }: ToggleTie): Outcome {
  const found = [...findNotes(session, notes)].flatMap(([editor, inPart]) =>
    inPart.filter(({ element }) => !isRestNote(element)).map((note) => ({ editor, note })),
  )
  if (found.length === 0) refuse('notANote')
  const isRemoved = found.every(({ note }) => hasTie(note.element, 'start'))
  let tied = 0
  const selected: SelectedNotes[] = []
  for (const { editor, note } of found) {
    selected.push(selectionOf(editor, note, pitchOfNote(note.element)))
    if (isRemoved) {
      // The other end goes with the repair of loose ties.
      changeNote(editor, note, note.note, (one) => withoutTie(one, 'start'))
      continue
    }
    const next = nextEvent(editor, note)
    const place =
      next &&
      (eventOf(editor, next)?.notes ?? []).findIndex((one) =>
        isSamePitch(pitchOfNote(one), pitchOfNote(note.element)),
      )
    if (next === undefined || place === undefined || place < 0) continue
    changeNote(editor, note, note.note, (one) => withTie(one, 'start'))
    changeNote(editor, next, place, (one) => withTie(one, 'stop'))
    tied += 1
  }
  if (!isRemoved && tied === 0) refuse('noNextNote')
  return { notes: selected }
}

function changeNote(
  editor: PartEditor,
  place: EventPlace,
  note: number,
  change: (note: FoundNote['element']) => FoundNote['element'],
): void {
  const event = eventOf(editor, place)
  const element = event?.notes[note]
  if (event && element)
    replaceEvent(editor, place, { ...event, notes: event.notes.with(note, change(element)) })
}

/** The next chord of a voice, over a bar line. Undefined before a rest or a gap. */
function nextEvent(editor: PartEditor, place: EventPlace): EventPlace | undefined {
  const stream = editor.modelAt(place.index).streams[place.stream]
  const event = stream?.events[place.event]
  if (stream === undefined || event === undefined || event.isGrace) return undefined
  const end = event.onset + event.ticks
  const isOver = end >= editor.meterAt(place.index).length
  const index = isOver ? place.index + 1 : place.index
  if (index >= editor.measures.length) return undefined
  const at = isOver
    ? streamPlace(editor, index, editor.staffOf(stream), voiceOfStream(editor, stream))
    : place.stream
  const events = editor.modelAt(index).streams[at]?.events ?? []
  const next = events.findIndex((one) => !one.isGrace && one.onset === (isOver ? 0 : end))
  const found = events[next]
  return found && !isRestEvent(found) ? { index, stream: at, event: next } : undefined
}
