import type { Element } from '../../model/document.ts'
import { node } from '../../model/element.ts'
import type { Event } from '../measure-model.ts'
import {
  hasChild,
  isSamePitch,
  mapNotations,
  notationsOf,
  type Pitch,
  pitchedNote,
  pitchOfNote,
  tupletRatioOf,
  valueOfNote,
  withChildren,
  withNotation,
} from '../note-element.ts'
import type { Outcome } from '../operation.ts'
import { findPosition, isRestEvent, streamPlace, withEvents, writtenVoice } from '../part-editor.ts'
import type { Position } from '../positions.ts'
import { refuse } from '../refusal.ts'
import type { Session } from '../session.ts'
import { eventAt, pitchFor } from './insert.ts'

/** Adds a note to the chord at a place. */
export interface AddChordNote {
  readonly type: 'addChordNote'
  readonly at: Position
  readonly pitch: Pitch
}

export function addChordNote(session: Session, { at, pitch }: AddChordNote): Outcome {
  const found = findPosition(session, at)
  const { editor, index, staff, voice } = found
  const event = eventAt(found)
  const [first] = event?.notes ?? []
  if (event === undefined || first === undefined || isRestEvent(event)) refuse('notANote')
  if (event.notes.some((note) => isSamePitch(pitchOfNote(note), pitch))) refuse('alreadyThere')
  const written = writtenVoice(editor, staff, voice)
  const value = { value: valueOfNote(first), ratio: tupletRatioOf(first) }
  const note = pitchedNote(pitchFor(found, pitch), { ...written, ...value })
  const added = { ...event, notes: chordOf([...event.notes, note], first) }
  replaceEvent(found, event, [added])
  return { notes: [{ part: at.part, index, staff, voice, onset: at.onset, pitch }], caret: at }
}

/** Puts events in the place of one of a voice. */
function replaceEvent(
  {
    editor,
    index,
    staff,
    voice,
  }: { editor: ReturnType<Session['part']>; index: number; staff: number; voice: number },
  event: Event,
  replacements: readonly Event[],
): void {
  const model = editor.modelAt(index)
  const stream = streamPlace(editor, index, staff, voice)
  const events = model.streams[stream]?.events ?? []
  editor.replace(
    index,
    withEvents(
      model,
      stream,
      events.flatMap((one) => (one === event ? replacements : [one])),
    ),
  )
}

const heightOf = (note: Element): number => {
  const pitch = pitchOfNote(note)
  return pitch ? pitch.octave * 7 + 'CDEFGAB'.indexOf(pitch.step) + pitch.alter / 10 : 0
}

/** Signs that belong to the whole chord, and are written at its first note. */
const ofChord = new Set(['tuplet', 'slur', 'articulations', 'fermata', 'ornaments', 'dynamics', 'arpeggiate'])

/**
 * Makes a chord of notes: from the lowest to the highest, with the signs of the chord and the lyrics at the first one.
 * @param before the first note until now, which has the signs
 */
export function chordOf(notes: readonly Element[], before: Element | undefined): Element[] {
  const sorted = notes.toSorted((a, b) => heightOf(a) - heightOf(b))
  const [first] = sorted
  return sorted.map((note) => {
    const plain = note === first ? withChildren(note, 'chord', []) : withChord(note)
    if (before === undefined || before === first) return plain
    if (note === before) return withoutSignsOfChord(plain)
    return note === first ? withSignsOf(plain, before) : plain
  })
}

const withChord = (note: Element): Element =>
  hasChild(note, 'chord') ? note : withChildren(note, 'chord', [node('chord', [])])

function withoutSignsOfChord(note: Element): Element {
  const silent = ['lyric', 'beam'].reduce((one, name) => withChildren(one, name, []), note)
  return mapNotations(silent, (sign) => (ofChord.has(sign.name) ? [] : [sign]))
}

/** Gives a note the signs and the lyrics of another one. */
function withSignsOf(note: Element, source: Element): Element {
  const taken = ['lyric', 'beam'].reduce((one, name) => {
    const children = source.children.filter((element) => element.name === name)
    return children.length > 0 ? withChildren(one, name, children) : one
  }, note)
  return notationsOf(source)
    .filter(({ name }) => ofChord.has(name))
    .reduce(withNotation, taken)
}
