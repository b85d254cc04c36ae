import type { Position } from '../../../../src/music/editing/positions.ts'
import {
  eventAt,
  measuresIn,
  nextPosition,
  partsIn,
  previousPosition,
} from '../../../../src/music/editing/reading.ts'
import type { NoteType } from '../../../../src/music/editing/values.ts'
import type { TextKey } from '../../../../src/texts/catalogue.ts'
import { type Editor, type EditorState, idsAt, selectedEvent } from './editor.ts'
import { measureCommands } from './measure-commands.ts'
import { noteCommands } from './note-commands.ts'
import { firstSungPlace } from './lyrics.ts'
import { clearPassage, passageCommands } from './passage.ts'
import { applyTyped, placeOf } from './place.ts'
import type { Question } from './question.ts'
import { signCommands } from './sign-commands.ts'
import { pitchAbove, pitchOfLetter, type Step } from './entry.ts'

/** Something that the user can do with a key, from the list of commands, or with a button. */
export interface Command {
  readonly id: string
  readonly name: TextKey
  /** What stands for `{{value}}` in the name. */
  readonly value?: string
  /** Names of keys, as `nameOfKey` writes them. */
  readonly keys: readonly string[]
  readonly group: CommandGroup
  run(editor: Editor, page: PageActions): void
}

export type CommandGroup = 'entry' | 'value' | 'change' | 'measure' | 'sign' | 'move' | 'score'

/** What commands do besides editing. */
export interface PageActions {
  togglePlaying(): void
  save(): void
  listCommands(): void
  writeLyrics(): void
  /** Asks the user, and applies the operations of the answer. */
  ask(question: Question): void
}

const letters: readonly Step[] = ['C', 'D', 'E', 'F', 'G', 'A', 'B']

/** As in MuseScore: 5 is a quarter. */
const values = [
  ['1', '64th'],
  ['2', '32nd'],
  ['3', '16th'],
  ['4', 'eighth'],
  ['5', 'quarter'],
  ['6', 'half'],
  ['7', 'whole'],
] as const satisfies readonly (readonly [key: string, type: NoteType])[]

export const commands: readonly Command[] = [
  ...letters.map(
    (step): Command => ({
      id: `note${step}`,
      name: 'editor.enterNote',
      value: step,
      keys: [step],
      group: 'entry',
      run: (editor) => enterNote(editor, step),
    }),
  ),
  ...letters.map(
    (step): Command => ({
      id: `chord${step}`,
      name: 'editor.addToChord',
      value: step,
      keys: [`Shift+${step}`],
      group: 'entry',
      run: (editor) => addToChord(editor, step),
    }),
  ),
  { id: 'rest', name: 'editor.enterRest', keys: ['0', 'R'], group: 'entry', run: enterRest },
  ...values.map(
    ([key, type]): Command => ({
      id: `value-${type}`,
      name: `editor.value.${type}`,
      keys: [key],
      group: 'value',
      run: (editor) => setValue(editor, type),
    }),
  ),
  { id: 'dot', name: 'editor.dot', keys: ['.'], group: 'value', run: toggleDot },
  ...noteCommands,
  ...passageCommands,
  ...measureCommands,
  ...signCommands,
  {
    id: 'lyrics',
    name: 'editor.lyrics',
    keys: ['Ctrl+L'],
    group: 'sign',
    run(editor, page) {
      const state = editor.state()
      const place = firstSungPlace(state.document, placeOf(state))
      if (!place) return editor.refuse('notANote')
      goTo(editor, place)
      page.writeLyrics()
    },
  },
  { id: 'delete', name: 'editor.delete', keys: ['Delete'], group: 'change', run: deleteSelected },
  { id: 'back', name: 'editor.deleteBefore', keys: ['Backspace'], group: 'change', run: deleteBefore },
  { id: 'undo', name: 'editor.undo', keys: ['Ctrl+Z'], group: 'change', run: (editor) => editor.undo() },
  {
    id: 'redo',
    name: 'editor.redo',
    keys: ['Ctrl+Y', 'Ctrl+Shift+Z'],
    group: 'change',
    run: (editor) => editor.redo(),
  },
  move('next', 'editor.next', ['ArrowRight'], ({ document, caret }) => nextPosition(document, caret)),
  move('previous', 'editor.previous', ['ArrowLeft'], ({ document, caret }) =>
    previousPosition(document, caret),
  ),
  move('nextMeasure', 'editor.nextMeasure', ['Ctrl+ArrowRight'], (state) => toMeasure(state, 1)),
  move('previousMeasure', 'editor.previousMeasure', ['Ctrl+ArrowLeft'], (state) => toMeasure(state, -1)),
  move('start', 'editor.start', ['Home', 'Ctrl+Home'], (state) => toMeasure(state, Number.NEGATIVE_INFINITY)),
  move('end', 'editor.end', ['End', 'Ctrl+End'], (state) => toMeasure(state, Number.POSITIVE_INFINITY)),
  move('staffBelow', 'editor.staffBelow', ['Alt+Shift+ArrowDown', 'PageDown'], (state) => toStaff(state, 1)),
  move('staffAbove', 'editor.staffAbove', ['Alt+Shift+ArrowUp', 'PageUp'], (state) => toStaff(state, -1)),
  ...[1, 2, 3, 4].map((voice) =>
    move(
      `voice${voice}`,
      'editor.voice',
      [`Alt+${voice}`],
      ({ caret }) => ({ ...caret, voice, onset: 0 }),
      String(voice),
    ),
  ),
  {
    id: 'play',
    name: 'editor.play',
    keys: ['Space'],
    group: 'score',
    run: (_editor, page) => page.togglePlaying(),
  },
  { id: 'save', name: 'editor.save', keys: ['Ctrl+S'], group: 'score', run: (_editor, page) => page.save() },
  {
    id: 'commands',
    name: 'editor.commands',
    keys: ['Ctrl+K'],
    group: 'score',
    run: (_editor, page) => page.listCommands(),
  },
]

export const commandsOfKeys: ReadonlyMap<string, Command> = new Map(
  commands.flatMap((command) => command.keys.map((key) => [key, command] as const)),
)

/** A command that moves the caret, and chooses what is there. */
function move(
  id: string,
  name: TextKey,
  keys: readonly string[],
  target: (state: EditorState) => Position | undefined,
  value?: string,
): Command {
  return {
    id,
    name,
    keys,
    group: 'move',
    ...(value !== undefined && { value }),
    run(editor) {
      const state = editor.state()
      const caret = target(state)
      if (caret) goTo(editor, caret)
    },
  }
}

/** Moves the caret to a place and chooses the notes there. */
export function goTo(editor: Editor, caret: Position): void {
  const { document } = editor.state()
  const event = eventAt(document, caret)
  editor.set({
    caret: event?.position ?? caret,
    selected: idsAt(document, caret),
    isEntering: false,
    lastPitch: event?.notes[0]?.pitch ?? editor.state().lastPitch,
  })
}

function toMeasure({ document, caret }: EditorState, by: number): Position | undefined {
  const measures = measuresIn(document)
  const index = measures.findIndex(({ uuid }) => uuid === caret.measure)
  // Back goes first to the start of this measure.
  const target = by === -1 && caret.onset > 0 ? index : index + by
  const { uuid } = measures[Math.max(0, Math.min(measures.length - 1, target))] ?? {}
  return uuid === undefined ? undefined : { ...caret, measure: uuid, onset: 0 }
}

/** The staves of all parts from the top. The voice is the first one. */
function toStaff({ document, caret }: EditorState, by: number): Position | undefined {
  const staves = partsIn(document).flatMap(({ uuid, staves }) =>
    Array.from({ length: staves }, (_, place) => ({ part: uuid, staff: place + 1 })),
  )
  const at = staves.findIndex(({ part, staff }) => part === caret.part && staff === caret.staff)
  const target = staves[at + by]
  return target && { ...caret, ...target, voice: 1 }
}

function enterNote(editor: Editor, step: Step): void {
  const { document, caret, value, lastPitch } = editor.state()
  const pitch = pitchOfLetter(document, caret, step, lastPitch)
  applyTyped(
    editor,
    (at) => [{ type: 'insertNote', at, value, pitch }],
    () => (notes, next) => ({ caret: next, selected: notes, isEntering: true, lastPitch: pitch }),
  )
}

function addToChord(editor: Editor, step: Step): void {
  const state = editor.state()
  const event = selectedEvent(state)
  const top = event?.notes.at(-1)?.pitch
  if (!event || !top) {
    enterNote(editor, step)
    return
  }
  const { position: at } = event
  const pitch = pitchAbove(state.document, at, step, top)
  editor.apply([{ type: 'addChordNote', at, pitch }], (notes) => ({ selected: notes, lastPitch: pitch }))
}

function enterRest(editor: Editor): void {
  const { value } = editor.state()
  applyTyped(
    editor,
    (at) => [{ type: 'insertRest', at, value }],
    () => (notes, next) => ({ caret: next, selected: notes, isEntering: true }),
  )
}

/** Chooses the value of the next note, and changes a note that the user has gone to. */
function setValue(editor: Editor, type: NoteType): void {
  changeValue(editor, { type, dots: 0 })
}

function toggleDot(editor: Editor): void {
  const { value } = editor.state()
  changeValue(editor, { ...value, dots: value.dots === 0 ? 1 : 0 })
}

function changeValue(editor: Editor, value: EditorState['value']): void {
  const state = editor.state()
  const event = selectedEvent(state)
  if (state.isEntering || !event || event.isRest) {
    editor.set({ value })
    return
  }
  editor.apply([{ type: 'setValue', at: event.position, value }], (notes) => ({ selected: notes, value }))
}

function deleteSelected(editor: Editor): void {
  if (editor.state().anchor) {
    clearPassage(editor)
    return
  }
  const { document, caret, selected, isEntering } = editor.state()
  const notes = isEntering ? idsAt(document, caret) : selected
  if (notes.length === 0) return
  editor.apply([{ type: 'deleteNotes', notes: [...notes] }], () => ({
    caret,
    selected: [],
    isEntering: false,
  }))
}

/** Deletes what was entered last, with all notes that are tied to it, and goes there. */
function deleteBefore(editor: Editor): void {
  const { document, caret, isEntering } = editor.state()
  let at = isEntering ? previousPosition(document, caret) : caret
  let event = at && eventAt(document, at)
  if (!at || !event || event.isRest) {
    if (at) goTo(editor, at)
    return
  }
  const notes = event.notes.map(({ id }) => id)
  while (event?.notes.some(({ isTiedToPrevious }) => isTiedToPrevious)) {
    const before = previousPosition(document, at)
    event = before && eventAt(document, before)
    if (!before || !event) break
    at = before
    notes.push(...event.notes.map(({ id }) => id))
  }
  const first = at
  editor.apply([{ type: 'deleteNotes', notes }], () => ({ caret: first, selected: [], isEntering: true }))
}
