import { type Clip, copySelection } from '../../../../src/music/editing/clipboard/copy.ts'
import type { Selection } from '../../../../src/music/editing/clipboard/selection.ts'
import type { ScoreDocument } from '../../../../src/music/model/document.ts'
import type { Position } from '../../../../src/music/editing/positions.ts'
import {
  eventsIn,
  measuresIn,
  nextPosition,
  previousPosition,
} from '../../../../src/music/editing/reading.ts'
import type { Command } from './commands.ts'
import { type Editor, type EditorState, idsAt } from './editor.ts'
import { applyTyped, placeOf } from './place.ts'

/** What was copied last, in any score of this window. */
let copied: Clip | undefined

/** The passage that is chosen, in the order of time, or else the note that was entered or chosen last. */
export function passageOf(state: EditorState): Selection {
  const { document, anchor, caret } = state
  if (!anchor) {
    const place = placeOf(state)
    return { from: place, to: place }
  }
  return isBefore(document, caret, anchor) ? { from: caret, to: anchor } : { from: anchor, to: caret }
}

const indexOf = (document: ScoreDocument, measure: string): number =>
  measuresIn(document).findIndex(({ uuid }) => uuid === measure)

function isBefore(document: ScoreDocument, one: Position, other: Position): boolean {
  if (one.measure === other.measure) return one.onset < other.onset
  return indexOf(document, one.measure) < indexOf(document, other.measure)
}

/** The uuids of the measures of the passage. */
export function measuresOfPassage(state: EditorState): string[] {
  const { from, to } = passageOf(state)
  const uuids = measuresIn(state.document).map(({ uuid }) => uuid)
  return uuids.slice(uuids.indexOf(from.measure), uuids.indexOf(to.measure) + 1)
}

/** The ids of the notes in the voice of the caret. Rests are not among them. */
function notesOf(state: EditorState): string[] {
  const { from, to } = passageOf(state)
  return measuresOfPassage(state).flatMap((measure) =>
    eventsIn(state.document, { ...state.caret, measure })
      .filter(({ position, isRest }) => {
        const isIn = !isBefore(state.document, position, from) && !isBefore(state.document, to, position)
        return isIn && !isRest
      })
      .flatMap(({ notes }) => notes.map(({ id }) => id)),
  )
}

function extend(
  editor: Editor,
  target: (document: ScoreDocument, caret: Position) => Position | undefined,
): void {
  const state = editor.state()
  const anchor = state.anchor ?? placeOf(state)
  const caret = target(state.document, state.anchor ? state.caret : anchor)
  if (!caret) return
  const selected = notesOf({ ...state, anchor, caret })
  editor.set({ anchor, caret, selected, isEntering: false })
}

/** Keeps a passage for pasting. Returns whether there is one. */
function copy(editor: Editor): boolean {
  const state = editor.state()
  const clip = copySelection(state.document, passageOf(state))
  if (clip) copied = clip
  else editor.refuse('noSuchPosition')
  return clip !== undefined
}

function cut(editor: Editor): void {
  if (!copy(editor)) return
  clearPassage(editor)
}

/** Replaces the notes of the passage by rests, in all its voices. */
export function clearPassage(editor: Editor): void {
  const selection = passageOf(editor.state())
  editor.apply([{ type: 'clearSelection', selection }], (_notes, _caret, document) => ({
    caret: selection.from,
    selected: idsAt(document, selection.from),
    isEntering: false,
  }))
}

/** Pastes at the beginning of the passage, or at the caret. Measures are added if the score is too short. */
function paste(editor: Editor): void {
  const clip = copied
  if (!clip) {
    editor.refuse('nothingToPaste')
    return
  }
  const state = editor.state()
  if (state.anchor) editor.set({ caret: passageOf(state).from })
  applyTyped(
    editor,
    (at) => [{ type: 'paste', at, clip }],
    (at) => (notes) => ({ caret: at, selected: notes, isEntering: false }),
  )
}

/** Commands for passages. */
export const passageCommands: readonly Command[] = [
  {
    id: 'extendNext',
    name: 'editor.extendNext',
    keys: ['Shift+ArrowRight'],
    group: 'move',
    run: (editor) => extend(editor, nextPosition),
  },
  {
    id: 'extendPrevious',
    name: 'editor.extendPrevious',
    keys: ['Shift+ArrowLeft'],
    group: 'move',
    run: (editor) => extend(editor, previousPosition),
  },
  { id: 'copy', name: 'editor.copy', keys: ['Ctrl+C'], group: 'change', run: copy },
  { id: 'cut', name: 'editor.cut', keys: ['Ctrl+X'], group: 'change', run: cut },
  { id: 'paste', name: 'editor.paste', keys: ['Ctrl+V'], group: 'change', run: paste },
]
