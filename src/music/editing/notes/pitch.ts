import type { Element } from '../../model/document.ts'
import { semitonesOfStep } from '../../model/steps.ts'
import { keyAt } from '../../timeline/key-alterations.ts'
import { staffOfNote } from '../measure-model.ts'
import { hasChild, isRestNote, mapNotations, type Pitch, pitchOfNote, withChildren } from '../note-element.ts'
import type { Outcome } from '../operation.ts'
import { type FoundNote, type PartEditor, voiceOfStream } from '../part-editor.ts'
import { keysAt } from '../part-state.ts'
import { refuse } from '../refusal.ts'
import type { SelectedNotes, Session } from '../session.ts'
import { changeFound, eventOf, findNotes, withTiedNotes } from './found-notes.ts'
import { pitchFor } from './insert.ts'

/** Gives a note another pitch. Notes that are tied to it get it too. */
export interface SetPitch {
  readonly type: 'setPitch'
  /** The id of the note. */
  readonly note: string
  readonly pitch: Pitch
}

/** Moves notes by steps of the key, or by semitones. Notes that are tied to them move too. */
export type MoveNotes =
  | { readonly type: 'moveNotes'; readonly notes: readonly string[]; readonly steps: number }
  | { readonly type: 'moveNotes'; readonly notes: readonly string[]; readonly semitones: number }

/** Gives notes another alteration. */
export interface SetAccidental {
  readonly type: 'setAccidental'
  readonly notes: readonly string[]
  /** Semitones from the natural note, −2…2. */
  readonly alter: number
}

export function setPitch(session: Session, { note, pitch }: SetPitch): Outcome {
  return { notes: repitched(session, [note], () => pitch) }
}

export function setAccidental(session: Session, { notes, alter }: SetAccidental): Outcome {
  return { notes: repitched(session, notes, (pitch) => ({ ...pitch, alter })) }
}

export function moveNotes(session: Session, operation: MoveNotes): Outcome {
  const { notes } = operation
  return {
    notes: repitched(session, notes, (pitch, alterOf, isPitched) => {
      if (!isPitched)
        return movedBySteps(
          pitch,
          'steps' in operation ? operation.steps : Math.sign(operation.semitones),
          () => 0,
        )
      return 'steps' in operation
        ? movedBySteps(pitch, operation.steps, alterOf)
        : movedBySemitones(pitch, operation.semitones, alterOf)
    }),
  }
}

type AlterOf = (step: Pitch['step']) => number

/** Changes the pitches of notes and of those that are tied to them. Returns the notes that were asked for. */
function repitched(
  session: Session,
  ids: readonly string[],
  change: (pitch: Pitch, alterOf: AlterOf, isPitched: boolean) => Pitch,
): SelectedNotes[] {
  return [...findNotes(session, ids)].flatMap(([editor, found]) => {
    const notes = found.filter(({ element }) => !isRestNote(element))
    if (notes.length === 0) refuse('notANote')
    const wanted = new Set(notes.map(({ element }) => element))
    const all = withTiedNotes(editor, notes)
    const selected = changeFound(editor, all, (note, _editor, place) => {
      const pitch = pitchOfNote(note) ?? refuse('notANote')
      return withPitch(editor, place, change(pitch, alterInKeyAt(editor, place), hasChild(note, 'pitch')))
    })
    // The selection is in the order of chords, as the notes were found.
    const ordered = [
      ...Map.groupBy(all, ({ index, stream, event }) => `${index} ${stream} ${event}`).values(),
    ].flat()
    return selected.filter((_, index) => wanted.has(ordered[index]?.element as Element))
  })
}

function withPitch(editor: PartEditor, found: FoundNote, pitch: Pitch): Element {
  const { element, index } = found
  const stream = editor.modelAt(index).streams[found.stream] ?? refuse('noSuchNote')
  const onset = eventOf(editor, found)?.onset ?? 0
  const place = { editor, index, staff: staffOfNote(element), voice: voiceOfStream(editor, stream), onset }
  const written = pitchFor(place, pitch)
  const name = hasChild(element, 'pitch') ? 'pitch' : 'unpitched'
  const moved = withChildren(withChildren(element, name, [written]), 'accidental', [])
  return mapNotations(moved, (sign) => {
    if (sign.name !== 'technical') return [sign]
    const children = sign.children.filter((one) => one.name !== 'string' && one.name !== 'fret')
    return children.length === sign.children.length
      ? [sign]
      : children.length > 0
        ? [{ ...sign, children }]
        : []
  })
}

function alterInKeyAt(editor: PartEditor, found: FoundNote): AlterOf {
  const onset = eventOf(editor, found)?.onset ?? 0
  const keys = keysAt(editor.modelAt(found.index), editor.stateAt(found.index).keys, onset)
  const alterations = keyAt(keys, staffOfNote(found.element))
  return (step) => alterations.get(step) ?? 0
}

const steps = ['C', 'D', 'E', 'F', 'G', 'A', 'B'] as const

function movedBySteps({ step, octave }: Pitch, distance: number, alterOf: AlterOf): Pitch {
  const place = octave * 7 + steps.indexOf(step) + distance
  const moved = steps[((place % 7) + 7) % 7] ?? 'C'
  return { step: moved, alter: alterOf(moved), octave: Math.floor(place / 7) }
}

/**
 * Moves a pitch by semitones. A note of the key is preferred, then a natural one, then one that is altered in the
 * direction of the move.
 * Octaves keep the spelling.
 */
function movedBySemitones(pitch: Pitch, semitones: number, alterOf: AlterOf): Pitch {
  if (semitones % 12 === 0) return { ...pitch, octave: pitch.octave + semitones / 12 }
  const key = pitch.octave * 12 + semitonesOfStep[pitch.step] + pitch.alter + semitones
  const spellings = steps.flatMap((step) =>
    [-1, 0, 1].flatMap((alter) => {
      const octave = (key - semitonesOfStep[step] - alter) / 12
      return Number.isInteger(octave) ? [{ step, alter, octave }] : []
    }),
  )
  const costOf = ({ step, alter }: Pitch): number => {
    const change = alter - alterOf(step)
    if (change === 0) return 0
    if (alter === 0) return 1
    return Math.sign(change) === Math.sign(semitones) ? 2 : 3
  }
  return spellings.sort((a, b) => costOf(a) - costOf(b))[0] ?? pitch
}
