import type { AddChordNote } from './notes/chord.ts'
import type { DeleteNotes } from './notes/delete.ts'
import type { InsertNote, InsertRest, SetValue } from './notes/insert.ts'
import type { Position } from './positions.ts'
import type { SelectedNotes } from './session.ts'

/** A change of a score, as plain data. Ids of notes are those of the score before the change. */
export type Operation = InsertNote | InsertRest | SetValue | AddChordNote | DeleteNotes

/** What an operation on notes has done, besides replacing measures. */
export interface Outcome {
  /** The notes that it has written or changed. */
  readonly notes: readonly SelectedNotes[]
  /** Where typing goes on. */
  readonly caret?: Position
}
