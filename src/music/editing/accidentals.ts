import { child, type Element } from '../model/document.ts'
import { leaf } from '../model/element.ts'
import { accidentalOf } from '../model/transposition/accidentals.ts'
import { type KeysOfStaves, keyAt, keysAfter } from '../timeline/key-alterations.ts'
import { type MeasureModel, staffOfNote } from './measure-model.ts'
import { hasChild, hasTie, pitchOfNote, withChildren } from './note-element.ts'
import { mapNotes } from './repair-spanners.ts'

/** The notes of a measure that need an accidental: their alteration differs from the key and from the notes before them. */
function notesWithSigns({ model, keys: keysBefore }: InKeys): Set<Element> {
  const needed = new Set<Element>()
  const alters = new Map<string, number>()
  let keys = keysBefore
  const inTime = [
    ...model.marks
      .filter(({ element, onset }) => element.name === 'attributes' && onset > 0)
      .map(({ element, onset }) => ({ onset, order: -1, element })),
    ...model.streams.flatMap(({ events }, order) =>
      events.flatMap(({ onset, notes }) => notes.map((element) => ({ onset, order, element }))),
    ),
  ].sort((a, b) => a.onset - b.onset || a.order - b.order)
  for (const { element } of inTime) {
    if (element.name === 'attributes') {
      keys = keysAfter(element, keys)
      continue
    }
    const pitch = hasChild(element, 'pitch') ? pitchOfNote(element) : undefined
    if (pitch === undefined) continue
    const staff = staffOfNote(element)
    const line = `${staff} ${pitch.step}${pitch.octave}`
    const expected = alters.get(line) ?? keyAt(keys, staff).get(pitch.step) ?? 0
    if (hasTie(element, 'stop')) {
      // The sign of a tied note holds for its own length only.
      continue
    }
    if (pitch.alter !== expected) needed.add(element)
    alters.set(line, pitch.alter)
  }
  return needed
}

/** A measure with the key signatures at its start. */
interface InKeys {
  readonly model: MeasureModel
  readonly keys: KeysOfStaves
}

/**
 * Adds the accidentals that notes need since an operation, and removes those that they no longer need. Others stay, such as
 * reminders.
 */
export function withAccidentals(before: InKeys, after: InKeys): MeasureModel {
  const neededBefore = notesWithSigns(before)
  const needed = notesWithSigns(after)
  const old = new Set(before.model.streams.flatMap(({ events }) => events.flatMap(({ notes }) => notes)))
  return mapNotes(after.model, (note) => {
    const sign = child(note, 'accidental')
    if (needed.has(note)) {
      if (sign !== undefined || (old.has(note) && neededBefore.has(note))) return note
      const name = accidentalOf(pitchOfNote(note)?.alter ?? 0)
      return name === undefined ? note : withChildren(note, 'accidental', [leaf('accidental', name)])
    }
    return sign !== undefined && neededBefore.has(note) ? withChildren(note, 'accidental', []) : note
  })
}
