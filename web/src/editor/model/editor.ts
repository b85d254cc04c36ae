import type { ScoreDocument } from '../../../../src/music/model/document.ts'
import { applyOperation } from '../../../../src/music/editing/apply.ts'
import type { Pitch } from '../../../../src/music/editing/note-element.ts'
import type { Operation } from '../../../../src/music/editing/operation.ts'
import type { Position } from '../../../../src/music/editing/positions.ts'
import { eventAt, eventOfNote, type EventInfo } from '../../../../src/music/editing/reading.ts'
import type { RefusalReason } from '../../../../src/music/editing/refusal.ts'
import type { Changes } from '../../../../src/music/editing/session.ts'
import type { NoteValue } from '../../../../src/music/editing/values.ts'

export interface EditorState {
  readonly document: ScoreDocument
  /** Where the next note goes. */
  readonly caret: Position
  /** The value of the next note. */
  readonly value: NoteValue
  /** Where the passage begins that the user has chosen with the caret. Undefined if it is no passage. */
  readonly anchor: Position | undefined
  /** Ids of the notes that were entered last or chosen, which commands change. */
  readonly selected: readonly string[]
  /** Whether the user is typing notes: the caret is behind the last one. */
  readonly isEntering: boolean
  readonly lastPitch: Pitch | undefined
  /** Why the last command did nothing. Another object for each time. */
  readonly refusal: { readonly reason: RefusalReason } | undefined
  readonly canUndo: boolean
  readonly canRedo: boolean
}

/** What an operation has done, for whoever draws, saves or plays. */
export interface Edit {
  readonly changes: Changes
  /** The operations since the document that was opened or saved last; undefined if it is none of them but an earlier document. */
  readonly operations: readonly Operation[] | undefined
  readonly document: ScoreDocument
  /** Ids of notes to let sound. */
  readonly heard: readonly string[]
}

/** What changes besides the document when an operation succeeds. Without an anchor the passage is no longer chosen. */
export type Next = Partial<
  Pick<EditorState, 'caret' | 'anchor' | 'selected' | 'isEntering' | 'lastPitch' | 'value'>
>

/**
 * @param notes the ids of the notes that the last operation has written or changed
 * @param caret where the first operation that says so lets the caret go
 * @param document the new one
 */
export type NextAfter = (notes: readonly string[], caret: Position, document: ScoreDocument) => Next

/** A score that is being edited: the document with its history, and the caret. */
export interface Editor {
  state(): EditorState
  subscribe(listener: () => void): () => void
  /** Tells about each change of the document. */
  onEdit(listener: (edit: Edit) => void): () => void
  /**
   * Applies operations as one step of the history.
   * @param next what else changes; by default the caret goes where the operation says, and the notes are selected
   * @returns whether they were accepted
   */
  apply(operations: readonly Operation[], next?: NextAfter): boolean
  /** Changes the caret, the value or the selection. */
  set(next: Next): void
  refuse(reason: RefusalReason): void
  undo(): void
  redo(): void
  /** The operations until now are saved: only later ones are told. */
  markSaved(document: ScoreDocument): void
}

interface Step {
  readonly before: Snapshot
  readonly operations: readonly Operation[]
}
type Snapshot = Pick<EditorState, 'document' | 'caret' | 'selected' | 'isEntering' | 'lastPitch' | 'value'>

const maxSteps = 1000

export function createEditor(document: ScoreDocument, caret: Position): Editor {
  const listeners = new Set<() => void>()
  const editListeners = new Set<(edit: Edit) => void>()
  let done: readonly Step[] = []
  let undone: readonly (Step & { readonly after: Snapshot })[] = []
  /** The document from which the told operations begin. */
  let base = document
  let state: EditorState = {
    document,
    caret,
    value: { type: 'quarter', dots: 0 },
    anchor: undefined,
    selected: idsAt(document, caret),
    isEntering: false,
    lastPitch: undefined,
    refusal: undefined,
    canUndo: false,
    canRedo: false,
  }

  function change(values: Partial<EditorState>): void {
    state = { ...state, ...values, canUndo: done.length > 0, canRedo: undone.length > 0 }
    for (const listener of listeners) listener()
  }

  const snapshot = (): Snapshot => {
    const { document, caret, selected, isEntering, lastPitch, value } = state
    return { document, caret, selected, isEntering, lastPitch, value }
  }

  /** Undefined if the base is none of the documents before. */
  function operationsSinceBase(): readonly Operation[] | undefined {
    if (state.document === base) return []
    const from = done.findLastIndex(({ before }) => before.document === base)
    return from < 0 ? undefined : done.slice(from).flatMap(({ operations }) => operations)
  }

  function tell(changes: Changes, heard: readonly string[]): void {
    const edit = { changes, document: state.document, operations: operationsSinceBase(), heard }
    for (const listener of editListeners) listener(edit)
  }

  const everything: Changes = { measures: [], added: [], removed: [], isWhole: true }

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onEdit(listener) {
      editListeners.add(listener)
      return () => editListeners.delete(listener)
    },
    apply(operations, next = (notes, at) => ({ caret: at, selected: notes })) {
      let edited = state.document
      let target: Position | undefined
      let notes: readonly string[] = []
      const all: Changes[] = []
      for (const operation of operations) {
        const result = applyOperation(edited, operation)
        if (result.isRefused) {
          change({ refusal: { reason: result.reason } })
          return false
        }
        edited = result.document
        target ??= result.caret
        notes = result.notes
        all.push(result.changes)
      }
      const at = target ?? state.caret
      if (edited === state.document) {
        change({ refusal: undefined, anchor: undefined, ...next(notes, at, edited) })
        return true
      }
      done = [...done.slice(1 - maxSteps), { before: snapshot(), operations }]
      undone = []
      change({ document: edited, refusal: undefined, anchor: undefined, ...next(notes, at, edited) })
      tell(together(all), notes)
      return true
    },
    set: (next) => change({ anchor: undefined, ...next, refusal: undefined }),
    refuse: (reason) => change({ refusal: { reason } }),
    undo() {
      const step = done.at(-1)
      if (!step) return
      done = done.slice(0, -1)
      undone = [...undone, { ...step, after: snapshot() }]
      change({ ...step.before, anchor: undefined, refusal: undefined })
      tell(everything, [])
    },
    redo() {
      const step = undone.at(-1)
      if (!step) return
      undone = undone.slice(0, -1)
      done = [...done, step]
      change({ ...step.after, anchor: undefined, refusal: undefined })
      tell(everything, [])
    },
    markSaved(saved) {
      base = saved
    },
  }
}

function together(all: readonly Changes[]): Changes {
  return {
    measures: all.flatMap(({ measures }) => measures),
    added: all.flatMap(({ added }) => added),
    removed: all.flatMap(({ removed }) => removed),
    isWhole: all.some(({ isWhole }) => isWhole),
  }
}

/** The ids of the notes or the rest at a place. */
export const idsAt = (document: ScoreDocument, at: Position): string[] =>
  eventAt(document, at)?.notes.map(({ id }) => id) ?? []

/** The chord, note or rest that commands change: what was entered or chosen last. */
export function selectedEvent({ document, selected }: EditorState): EventInfo | undefined {
  const [first] = selected
  return first === undefined ? undefined : eventOfNote(document, first)
}
