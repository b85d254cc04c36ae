import type { ScoreDocument } from '../model/document.ts'
import type { ClearSelection, Paste } from './clipboard/paste.ts'
import type { SetChordSymbol } from './directions/chord-symbol.ts'
import type { SetDynamic } from './directions/dynamic.ts'
import type { SetHairpin } from './directions/hairpin.ts'
import type { SetRehearsalMark, SetTempo, SetText } from './directions/text.ts'
import type { SetBarline, SetEnding, SetRepeat } from './measures/barlines.ts'
import type { SetTime } from './measures/time.ts'
import type { DeleteMeasures } from './measures/delete.ts'
import type { InsertMeasures } from './measures/insert.ts'
import type { SetPickup } from './measures/pickup.ts'
import type { SetClef, SetKey } from './measures/signatures.ts'
import type { AddChordNote } from './notes/chord.ts'
import type { DeleteNotes } from './notes/delete.ts'
import type { InsertNote, InsertRest, SetValue } from './notes/insert.ts'
import type { SetLyric } from './notes/lyric.ts'
import type { MoveNotes, SetAccidental, SetPitch } from './notes/pitch.ts'
import type { ToggleArticulation, ToggleFermata } from './notes/signs.ts'
import type { ToggleSlur } from './notes/slur.ts'
import type { ToggleTie } from './notes/tie.ts'
import type { MakeTuplet, RemoveTuplet } from './notes/tuplet.ts'
import type { MoveToVoice } from './notes/voice.ts'
import type { AddPart } from './parts/add.ts'
import type { SetCredits } from './parts/credits.ts'
import type { MovePart, RemovePart, RenamePart } from './parts/parts.ts'
import type { TransposeScore } from './parts/transpose.ts'
import type { Position } from './positions.ts'
import type { MeasurePlace, SelectedNotes } from './session.ts'

/** A change of a score, as plain data. Ids of notes are those of the score before the change. */
export type Operation =
  | InsertNote
  | InsertRest
  | SetValue
  | AddChordNote
  | DeleteNotes
  | SetPitch
  | MoveNotes
  | SetAccidental
  | ToggleTie
  | MakeTuplet
  | RemoveTuplet
  | MoveToVoice
  | ToggleArticulation
  | ToggleFermata
  | ToggleSlur
  | SetLyric
  | SetDynamic
  | SetHairpin
  | SetChordSymbol
  | SetText
  | SetTempo
  | SetRehearsalMark
  | SetKey
  | SetClef
  | InsertMeasures
  | DeleteMeasures
  | SetTime
  | SetPickup
  | SetBarline
  | SetRepeat
  | SetEnding
  | Paste
  | ClearSelection
  | AddPart
  | RemovePart
  | MovePart
  | RenamePart
  | SetCredits
  | TransposeScore

/** What an operation on notes has done, besides replacing measures. */
export interface Outcome {
  /** The notes that it has written or changed. */
  readonly notes: readonly SelectedNotes[]
  /** Where typing goes on. */
  readonly caret?: Position
  /** The score, if the operation has made it itself, and not by replacing measures of the session. */
  readonly score?: {
    readonly document: ScoreDocument
    /** The uuids of new measures, and of those that are gone. */
    readonly added?: readonly string[]
    readonly removed?: readonly string[]
    /** The measures with other contents. */
    readonly measures?: readonly MeasurePlace[]
  }
}
