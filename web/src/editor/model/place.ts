import type { ScoreDocument } from '../../../../src/music/model/document.ts'
import type { Operation } from '../../../../src/music/editing/operation.ts'
import type { Position } from '../../../../src/music/editing/positions.ts'
import { measureIn, measuresIn } from '../../../../src/music/editing/reading.ts'
import { type Editor, type EditorState, idsAt, type NextAfter, selectedEvent } from './editor.ts'

/** Where commands write signs: at what was entered or chosen last, or else at the caret. */
export const placeOf = (state: EditorState): Position => selectedEvent(state)?.position ?? state.caret

/** Applies operations, and stays at what was chosen. If its place is gone, the caret goes to the start of the measure, or of the nearest one. */
export function applyHere(editor: Editor, operations: readonly Operation[]): boolean {
  const state = editor.state()
  const place = placeOf(state)
  const index = measuresIn(state.document).findIndex(({ uuid }) => uuid === state.caret.measure)
  return editor.apply(operations, (_notes, _caret, document) => {
    const isKept = isPlace(document, state.caret)
    const measures = measuresIn(document)
    const { uuid } = measures.find((one) => one.uuid === state.caret.measure) ??
      measures[Math.min(index, measures.length - 1)] ?? { uuid: state.caret.measure }
    const caret = isKept ? state.caret : { ...state.caret, measure: uuid, onset: 0 }
    const selected = idsAt(document, isKept ? place : caret)
    return { caret, selected, isEntering: isKept && state.isEntering }
  })
}

/** Whether the score has a place. The end of its last measure is one, too, because typing goes on there. */
function isPlace(document: ScoreDocument, { part, measure, onset }: Position): boolean {
  const length = measureIn(document, part, measure)?.length
  return length !== undefined && onset <= length
}

/** The most measures that one note needs. */
const mostAdded = 8

/**
 * Applies operations at the caret. If the score ends there, or before the end of the note, measures are added in the same step.
 * @param operationsAt the operations for a place
 */
export function applyTyped(
  editor: Editor,
  operationsAt: (at: Position) => readonly Operation[],
  next: (at: Position) => NextAfter,
): void {
  const { document, caret } = editor.state()
  const length = measureIn(document, caret.part, caret.measure)?.length
  const isBehind = length !== undefined && caret.onset >= length
  const uuids: string[] = []
  const attempt = (): boolean => {
    const [first] = uuids
    const at = isBehind && first !== undefined ? { ...caret, measure: first, onset: 0 } : caret
    const added: Operation[] =
      uuids.length > 0 ? [{ type: 'insertMeasures', before: null, uuids: [...uuids] }] : []
    return editor.apply([...added, ...operationsAt(at)], next(at))
  }
  if (isBehind) uuids.push(crypto.randomUUID())
  while (!attempt() && editor.state().refusal?.reason === 'endOfScore' && uuids.length < mostAdded)
    uuids.push(crypto.randomUUID())
}
