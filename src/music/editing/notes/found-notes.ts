import type { Element } from '../../model/document.ts'
import type { Event } from '../measure-model.ts'
import { hasTie, isSamePitch, type Pitch, pitchOfNote } from '../note-element.ts'
import { type FoundNote, findNote, type PartEditor, voiceOfStream, withEvents } from '../part-editor.ts'
import { parsedNoteId } from '../positions.ts'
import { refuse } from '../refusal.ts'
import type { SelectedNotes, Session } from '../session.ts'
import { chordOf } from './chord-notes.ts'

/**
 * Finds notes in their parts.
 * @throws Refusal `noSuchNote`, also for no ids
 */
export function findNotes(session: Session, ids: readonly string[]): Map<PartEditor, FoundNote[]> {
  const found = new Map<PartEditor, FoundNote[]>()
  if (ids.length === 0) refuse('noSuchNote')
  for (const id of ids) {
    const editor = session.part(parsedNoteId(id)?.part ?? refuse('noSuchNote'))
    const note = findNote(editor, id)
    found.set(editor, [...(found.get(editor) ?? []), note])
  }
  return found
}

/** The place of an event in a part. */
export interface EventPlace {
  readonly index: number
  readonly stream: number
  readonly event: number
}

/** Groups notes by their chords. */
export function byEvent(notes: readonly FoundNote[]): FoundNote[][] {
  return [...Map.groupBy(notes, ({ index, stream, event }) => `${index} ${stream} ${event}`).values()]
}

export const eventOf = (editor: PartEditor, { index, stream, event }: EventPlace): Event | undefined =>
  editor.modelAt(index).streams[stream]?.events[event]

/** Puts an event in the place of another one. */
export function replaceEvent(
  editor: PartEditor,
  { index, stream, event }: EventPlace,
  replacement: Event,
): void {
  const model = editor.modelAt(index)
  const events = model.streams[stream]?.events ?? []
  editor.replace(index, withEvents(model, stream, events.with(event, replacement)))
}

/** Changes notes, and orders their chords again. Returns the notes in the order of their chords. */
export function changeFound(
  editor: PartEditor,
  notes: readonly FoundNote[],
  change: (note: Element, editor: PartEditor, found: FoundNote) => Element,
): SelectedNotes[] {
  return byEvent(notes).flatMap((inEvent) => {
    const [place] = inEvent
    const event = place && eventOf(editor, place)
    if (place === undefined || event === undefined) return []
    const changed = event.notes.map((note) => {
      const found = inEvent.find(({ element }) => element === note)
      return found ? change(note, editor, found) : note
    })
    const [first] = changed
    replaceEvent(editor, place, { ...event, notes: chordOf(changed, first) })
    return inEvent.map(({ note }) => selectionOf(editor, place, changed[note] && pitchOfNote(changed[note])))
  })
}

/** The notes of an event, or the one of a pitch, for the result of an operation. */
export function selectionOf(editor: PartEditor, place: EventPlace, pitch?: Pitch): SelectedNotes {
  const stream = editor.modelAt(place.index).streams[place.stream] ?? refuse('noSuchNote')
  const onset = stream.events[place.event]?.onset ?? 0
  return {
    part: editor.uuid,
    index: place.index,
    staff: editor.staffOf(stream),
    voice: voiceOfStream(editor, stream),
    onset,
    event: place.event,
    pitch,
  }
}

/** The note that begins or ends at a time and is tied to another one there. */
function tiedNeighbour(
  editor: PartEditor,
  note: FoundNote,
  direction: 'next' | 'previous',
): FoundNote | undefined {
  const event = eventOf(editor, note)
  const pitch = pitchOfNote(note.element)
  if (event === undefined || pitch === undefined) return undefined
  const isNext = direction === 'next'
  if (!hasTie(note.element, isNext ? 'start' : 'stop')) return undefined
  const time = isNext ? event.onset + event.ticks : event.onset
  const isOver = isNext ? time >= editor.meterAt(note.index).length : time === 0
  const index = isOver ? note.index + (isNext ? 1 : -1) : note.index
  if (index < 0 || index >= editor.measures.length) return undefined
  const wanted = isOver ? (isNext ? 0 : editor.meterAt(index).length) : time
  for (const [stream, { events }] of editor.modelAt(index).streams.entries())
    for (const [place, { onset, ticks, notes, isGrace }] of events.entries()) {
      if (isGrace || (isNext ? onset : onset + ticks) !== wanted) continue
      const found = notes.findIndex(
        (one) => hasTie(one, isNext ? 'stop' : 'start') && isSamePitch(pitchOfNote(one), pitch),
      )
      const element = notes[found]
      if (element) return { index, stream, event: place, note: found, element }
    }
  return undefined
}

/** The notes with all those that are tied to them, each once. */
export function withTiedNotes(editor: PartEditor, notes: readonly FoundNote[]): FoundNote[] {
  const all = new Map<Element, FoundNote>()
  const add = (note: FoundNote | undefined, direction: 'next' | 'previous'): void => {
    if (note === undefined || all.has(note.element)) return
    all.set(note.element, note)
    add(tiedNeighbour(editor, note, direction), direction)
  }
  for (const note of notes) {
    add(note, 'next')
    add(tiedNeighbour(editor, note, 'previous'), 'previous')
  }
  return [...all.values()]
}
