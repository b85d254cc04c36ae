import { leaf } from '../../model/element.ts'
import type { Event } from '../measure-model.ts'
import { isRestNote, tupletRatioOf, withChildren } from '../note-element.ts'
import type { Outcome } from '../operation.ts'
import { overwrite } from '../overwrite.ts'
import { findPosition, voiceOfStream, writtenVoice } from '../part-editor.ts'
import { refuse } from '../refusal.ts'
import type { SelectedNotes, Session } from '../session.ts'
import { chordOf } from './chord-notes.ts'
import { removeNotes } from './delete.ts'
import { byEvent, eventOf, findNotes } from './found-notes.ts'

/** Moves notes to another voice of their staff, in the place of what is there. They leave rests. */
export interface MoveToVoice {
  readonly type: 'moveToVoice'
  readonly notes: readonly string[]
  /** From 1 to 4. */
  readonly voice: number
}

/** @throws Refusal `insideTuplet`, `notANote` */
export function moveToVoice(session: Session, { notes, voice }: MoveToVoice): Outcome {
  const selected: SelectedNotes[] = []
  for (const [editor, found] of findNotes(session, notes)) {
    for (const inEvent of byEvent(found.filter(({ element }) => !isRestNote(element)))) {
      const [place] = inEvent
      const event = place && eventOf(editor, place)
      const stream = place && editor.originalAt(place.index).streams[place.stream]
      if (place === undefined || event === undefined || stream === undefined || event.isGrace) continue
      if (inEvent.some(({ element }) => tupletRatioOf(element))) refuse('insideTuplet')
      const from = voiceOfStream(editor, stream)
      const staff = editor.staffOf(stream)
      const measure = editor.measures[place.index]?.uuid ?? ''
      const at = { part: editor.uuid, measure, staff, voice, onset: event.onset }
      if (from === voice) continue
      const target = findPosition(session, at)
      const written = writtenVoice(editor, staff, voice)
      const elements = inEvent.map(({ element }) =>
        ['stem', 'beam'].reduce(
          (note, name) => withChildren(note, name, []),
          withChildren(element, 'voice', written.voice === undefined ? [] : [leaf('voice', written.voice)]),
        ),
      )
      // The signs of a chord stay with its first note.
      const withSigns = elements[inEvent.findIndex(({ note }) => note === 0)]
      const moved: Event = { ...event, notes: chordOf(elements, withSigns) }
      removeNotes(
        editor,
        { index: place.index, staff, voice: from },
        event,
        new Set(inEvent.map(({ element }) => element)),
      )
      overwrite(editor, target, [event.onset, event.onset + event.ticks], [moved])
      selected.push({ part: editor.uuid, index: place.index, staff, voice, onset: event.onset })
    }
  }
  if (selected.length === 0) refuse('notANote')
  return { notes: selected }
}
