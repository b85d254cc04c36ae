import { childText, type Element } from '../../model/document.ts'
import { leaf, node } from '../../model/element.ts'
import type { Event } from '../measure-model.ts'
import { hasChild, mapNotations, withChildren } from '../note-element.ts'
import type { Outcome } from '../operation.ts'
import { fullEvents, setEvents, type VoiceInMeasure } from '../overwrite.ts'
import { isRestEvent, type PartEditor, voiceOfStream, withEvents } from '../part-editor.ts'
import type { SelectedNotes, Session } from '../session.ts'
import { chordOf } from './chord-notes.ts'
import { byEvent, findNotes } from './found-notes.ts'

/**
 * Deletes notes. A note leaves a rest, and one of a chord goes alone. If rests of a second voice are deleted, and it has no note in
 * the measure, the voice goes from the measure.
 */
export interface DeleteNotes {
  readonly type: 'deleteNotes'
  /** The ids of the notes and rests. */
  readonly notes: readonly string[]
}

export function deleteNotes(session: Session, { notes }: DeleteNotes): Outcome {
  const left: SelectedNotes[] = []
  for (const [editor, found] of findNotes(session, notes)) {
    for (const inEvent of byEvent(found)) {
      const [first] = inEvent
      if (first === undefined) continue
      const { index } = first
      const stream = editor.originalAt(index).streams[first.stream]
      const event = stream?.events[first.event]
      if (stream === undefined || event === undefined) continue
      const place = { index, staff: editor.staffOf(stream), voice: voiceOfStream(editor, stream) }
      removeNotes(editor, place, event, new Set(inEvent.map(({ element }) => element)))
      if (isRestEvent(event)) removeSilentVoice(editor, place)
      else left.push({ part: editor.uuid, ...place, onset: event.onset })
    }
  }
  const [at] = left
  const editor = at && session.part(at.part)
  const caret = at && {
    part: at.part,
    measure: editor?.measures[at.index]?.uuid ?? '',
    staff: at.staff,
    voice: at.voice,
    onset: at.onset,
  }
  return { notes: left, ...(caret && { caret }) }
}

/** Takes notes from an event. Without notes it becomes a rest, unless it is a grace note. */
export function removeNotes(
  editor: PartEditor,
  place: VoiceInMeasure,
  event: Event,
  doomed: ReadonlySet<Element>,
): void {
  const present = fullEvents(editor, place)
  // The measure can have become one rest with the notes that were deleted before.
  if (!present.includes(event)) return
  setEvents(
    editor,
    place,
    present.flatMap((one) => (one === event ? withoutNotes(event, doomed) : [one])),
  )
}

function withoutNotes(event: Event, doomed: ReadonlySet<Element>): Event[] {
  const kept = event.notes.filter((note) => !doomed.has(note))
  const [first] = event.notes
  if (first === undefined) return []
  if (kept.length === 0) return event.isGrace ? [] : [{ ...event, notes: [restIn(first)] }]
  return [{ ...event, notes: chordOf(kept, first) }]
}

/** Signs that a rest keeps. */
const ofRests = new Set(['tuplet', 'fermata'])
const childrenOfRests = new Set([
  'duration',
  'voice',
  'type',
  'dot',
  'time-modification',
  'staff',
  'notations',
  'footnote',
  'level',
])

/** The rest in the place of a note. */
function restIn(note: Element): Element {
  if (hasChild(note, 'rest')) return note
  const children = note.children.filter(({ name }) => childrenOfRests.has(name))
  const rest = withChildren({ ...node('note', children) }, 'rest', [node('rest', [])])
  const timed =
    childText(rest, 'duration') === undefined ? withChildren(rest, 'duration', [leaf('duration', 0)]) : rest
  return mapNotations(timed, (sign) => (ofRests.has(sign.name) ? [sign] : []))
}

/** Takes a voice without notes from a measure, if it is not the first one of its staff. */
function removeSilentVoice(
  editor: PartEditor,
  { index, staff, voice }: { index: number; staff: number; voice: number },
): void {
  const model = editor.modelAt(index)
  const name = editor.voicesOfStaff(staff)[voice - 1]
  const place = model.streams.findIndex((stream) => stream.voice === name && editor.staffOf(stream) === staff)
  const isFirst = model.streams.findIndex((stream) => editor.staffOf(stream) === staff) === place
  if (isFirst || !model.streams[place]?.events.every(isRestEvent)) return
  editor.replace(index, withEvents(model, place, []))
}
