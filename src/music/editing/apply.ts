import type { ScoreDocument } from '../model/document.ts'
import { clearSelection, paste } from './clipboard/paste.ts'
import { setChordSymbol } from './directions/chord-symbol.ts'
import { setDynamic } from './directions/dynamic.ts'
import { setHairpin } from './directions/hairpin.ts'
import { setRehearsalMark, setTempo, setText } from './directions/text.ts'
import { setBarline, setEnding, setRepeat } from './measures/barlines.ts'
import { setTime } from './measures/time.ts'
import { deleteMeasures } from './measures/delete.ts'
import { insertMeasures } from './measures/insert.ts'
import { setPickup } from './measures/pickup.ts'
import { setClef, setKey } from './measures/signatures.ts'
import { addChordNote } from './notes/chord.ts'
import { deleteNotes } from './notes/delete.ts'
import { insertNote, insertRest, setValue } from './notes/insert.ts'
import { setLyric } from './notes/lyric.ts'
import { moveNotes, setAccidental, setPitch } from './notes/pitch.ts'
import { toggleArticulation, toggleFermata } from './notes/signs.ts'
import { toggleSlur } from './notes/slur.ts'
import { toggleTie } from './notes/tie.ts'
import { makeTuplet, removeTuplet } from './notes/tuplet.ts'
import { moveToVoice } from './notes/voice.ts'
import type { Operation, Outcome } from './operation.ts'
import { addPart } from './parts/add.ts'
import { setCredits } from './parts/credits.ts'
import { movePart, removePart, renamePart } from './parts/parts.ts'
import { transposeScore } from './parts/transpose.ts'
import type { Position } from './positions.ts'
import { Refusal, type RefusalReason, refuse } from './refusal.ts'
import { type Changes, openSession, type Session, writeSession } from './session.ts'

export interface Edited {
  readonly isRefused: false
  /** Shares all elements with the document before that have not changed. */
  readonly document: ScoreDocument
  readonly changes: Changes
  /** The ids of the notes that the operation has written or changed, in the new document. */
  readonly notes: readonly string[]
  /** Where typing goes on. Behind the last note of the score it is the end of the last measure, where no operation writes. */
  readonly caret?: Position
}

export interface Refused {
  readonly isRefused: true
  readonly reason: RefusalReason
}

export type EditResult = Edited | Refused

/** An operation on notes, which replaces measures of the session. */
type Handler<Type extends Operation['type']> = (
  session: Session,
  operation: Extract<Operation, { type: Type }>,
) => Outcome

const handlers: { readonly [Type in Operation['type']]: Handler<Type> } = {
  insertNote,
  insertRest,
  setValue,
  addChordNote,
  deleteNotes,
  setPitch,
  moveNotes,
  setAccidental,
  toggleTie,
  makeTuplet,
  removeTuplet,
  moveToVoice,
  toggleArticulation,
  toggleFermata,
  toggleSlur,
  setLyric,
  setDynamic,
  setHairpin,
  setChordSymbol,
  setText,
  setTempo,
  setRehearsalMark,
  setKey,
  setClef,
  insertMeasures,
  deleteMeasures,
  setTime,
  setPickup,
  setBarline,
  setRepeat,
  setEnding,
  paste,
  clearSelection,
  addPart,
  removePart,
  movePart,
  renamePart,
  setCredits,
  transposeScore,
}

/**
 * Applies an operation. The document is not changed, so a program that keeps it can undo the operation. Measures that the operation
 * does not touch are the same elements as before.
 * @param document its parts and measures have uuids
 */
export function applyOperation(document: ScoreDocument, operation: Operation): EditResult {
  const session = openSession(document)
  try {
    // An operation from a store or from another program can be one that this version does not know.
    if (!Object.hasOwn(handlers, operation.type)) refuse('unknownOperation')
    const handler = handlers[operation.type] as (session: Session, operation: Operation) => Outcome
    const { notes, caret, score } = handler(session, operation)
    if (score) {
      const { added = [], removed = [], measures = [] } = score
      const changes = { measures, added, removed, isWhole: true }
      return { isRefused: false, document: score.document, changes, notes: [], ...(caret && { caret }) }
    }
    const { document: edited, changes, idsOf } = writeSession(document, session.editors)
    return {
      isRefused: false,
      document: edited,
      changes,
      notes: notes.flatMap(idsOf),
      ...(caret && { caret }),
    }
  } catch (error) {
    if (error instanceof Refusal) return { isRefused: true, reason: error.reason }
    throw error
  }
}
