import type { Operation } from '../../../../src/music/editing/operation.ts'
import { eventAt, eventOfNote, previousPosition } from '../../../../src/music/editing/reading.ts'
import type { TextKey } from '../../../../src/texts/catalogue.ts'
import type { Command } from './commands.ts'
import { type Editor, idsAt, selectedEvent } from './editor.ts'
import { applyTyped } from './place.ts'

/** A command that changes the notes that were entered or chosen last, and leaves the caret where it is. */
function change(
  id: string,
  name: TextKey,
  keys: readonly string[],
  operationOf: (notes: readonly string[]) => Operation,
): Command {
  return {
    id,
    name,
    keys,
    group: 'change',
    run(editor) {
      const { selected } = editor.state()
      if (selected.length === 0) editor.refuse('noSuchNote')
      else changeNotes(editor, [operationOf(selected)])
    },
  }
}

function changeNotes(editor: Editor, operations: readonly Operation[]): void {
  const { lastPitch, anchor } = editor.state()
  editor.apply(operations, (notes, _caret, document) => ({
    selected: notes,
    anchor,
    lastPitch: eventOfNote(document, notes[0] ?? '')?.notes[0]?.pitch ?? lastPitch,
  }))
}

/** Commands that change notes. */
export const noteCommands: readonly Command[] = [
  change('stepUp', 'editor.stepUp', ['ArrowUp'], (notes) => ({ type: 'moveNotes', notes, steps: 1 })),
  change('stepDown', 'editor.stepDown', ['ArrowDown'], (notes) => ({ type: 'moveNotes', notes, steps: -1 })),
  change('semitoneUp', 'editor.semitoneUp', ['Alt+ArrowUp'], (notes) => ({
    type: 'moveNotes',
    notes,
    semitones: 1,
  })),
  change('semitoneDown', 'editor.semitoneDown', ['Alt+ArrowDown'], (notes) => ({
    type: 'moveNotes',
    notes,
    semitones: -1,
  })),
  change('octaveUp', 'editor.octaveUp', ['Ctrl+ArrowUp'], (notes) => ({
    type: 'moveNotes',
    notes,
    semitones: 12,
  })),
  change('octaveDown', 'editor.octaveDown', ['Ctrl+ArrowDown'], (notes) => ({
    type: 'moveNotes',
    notes,
    semitones: -12,
  })),
  change('sharp', 'editor.sharp', ['+'], (notes) => ({ type: 'setAccidental', notes, alter: 1 })),
  change('flat', 'editor.flat', ['-'], (notes) => ({ type: 'setAccidental', notes, alter: -1 })),
  change('natural', 'editor.natural', ['='], (notes) => ({ type: 'setAccidental', notes, alter: 0 })),
  { id: 'tie', name: 'editor.tie', keys: ['T'], group: 'change', run: tie },
  change('slur', 'editor.slur', ['S'], (notes) => ({ type: 'toggleSlur', notes })),
  change('staccato', 'editor.staccato', ['Shift+S'], (notes) => ({
    type: 'toggleArticulation',
    notes,
    articulation: 'staccato',
  })),
  change('tenuto', 'editor.tenuto', ['Shift+N'], (notes) => ({
    type: 'toggleArticulation',
    notes,
    articulation: 'tenuto',
  })),
  change('accent', 'editor.accent', ['Shift+V'], (notes) => ({
    type: 'toggleArticulation',
    notes,
    articulation: 'accent',
  })),
  change('fermata', 'editor.fermata', ['Shift+H'], (notes) => ({ type: 'toggleFermata', notes })),
]

/** Ties a note to the next one. While the user is typing, it writes the same note again for this. */
function tie(editor: Editor): void {
  const state = editor.state()
  const { document, caret, value, isEntering } = state
  const before = previousPosition(document, caret)
  const event = isEntering ? before && eventAt(document, before) : selectedEvent(state)
  if (!event || event.isRest) {
    editor.refuse('notANote')
    return
  }
  const [first, ...others] = event.notes.flatMap(({ pitch }) => pitch ?? [])
  const tied: Operation = { type: 'toggleTie', notes: event.notes.map(({ id }) => id) }
  if (!isEntering || !first) {
    changeNotes(editor, [tied])
    return
  }
  applyTyped(
    editor,
    (at) => [
      { type: 'insertNote', at, value, pitch: first },
      ...others.map((pitch): Operation => ({ type: 'addChordNote', at, pitch })),
      tied,
    ],
    (at) => (_notes, next, edited) => ({ caret: next, selected: idsAt(edited, at), isEntering: true }),
  )
}
