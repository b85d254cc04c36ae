import { restNote, type TupletRatio } from '../note-element.ts'
import type { Outcome } from '../operation.ts'
import { fullEvents, overwrite, tiedEvents } from '../overwrite.ts'
import { findPosition, writtenVoice } from '../part-editor.ts'
import type { Position } from '../positions.ts'
import { refuse } from '../refusal.ts'
import type { Session } from '../session.ts'
import { tupletAt, withoutTupletMarks, withTupletMarks } from '../tuplets.ts'
import { type NoteValue, ticksOfValue, valueOfTicks, valuesBetween } from '../values.ts'
import { checkValue, eventAt } from './insert.ts'

/** Divides the time of a note or rest into a tuplet, whose first note it becomes. The others are rests. */
export interface MakeTuplet extends TupletRatio {
  readonly type: 'makeTuplet'
  readonly at: Position
  /** The time of the whole tuplet. By default that of the note or rest. */
  readonly total?: NoteValue
}

/** Replaces a tuplet by its first note, which gets its time. */
export interface RemoveTuplet {
  readonly type: 'removeTuplet'
  readonly at: Position
}

const mostNotes = 16

/** @throws Refusal `insideTuplet`, and `invalidValue` if the notes of the tuplet would have no value */
export function makeTuplet(session: Session, { at, actual, normal, total }: MakeTuplet): Outcome {
  const found = findPosition(session, at)
  const { editor, index, staff, voice, onset } = found
  const events = fullEvents(editor, found)
  if (tupletAt(events, onset)) refuse('insideTuplet')
  if (total) checkValue(total)
  const event = eventAt(found) ?? events.find((one) => one.onset === onset && !one.isGrace)
  const ticks = total ? ticksOfValue(total) : event?.ticks
  if (ticks === undefined) refuse('noSuchPosition')
  if (onset + ticks > editor.meterAt(index).length) refuse('crossesBarline')
  const isCount = (count: number) => Number.isInteger(count) && count >= 2 && count <= mostNotes
  const value = valueOfTicks(ticks / normal)
  const length = ticks / actual
  if (!isCount(actual) || !isCount(normal) || actual === normal || !value || !Number.isInteger(length))
    refuse('invalidValue')
  const ratio = { actual, normal }
  const written = writtenVoice(editor, staff, voice)
  const made = Array.from({ length: actual }, (_, place) => {
    const notes = place === 0 && event ? event.notes : [restNote({ ...written, value, ratio })]
    return tiedEvents(notes, [{ onset: onset + place * length, ticks: length, value }], ratio)
  })
  overwrite(editor, found, [onset, onset + ticks], withTupletMarks(made.flat()))
  return { notes: [{ part: at.part, index, staff, voice, onset }], caret: at }
}

/** @throws Refusal `noTuplet` */
export function removeTuplet(session: Session, { at }: RemoveTuplet): Outcome {
  const found = findPosition(session, at)
  const { editor, index, staff, voice, onset } = found
  const events = fullEvents(editor, found)
  const group = tupletAt(events, onset) ?? refuse('noTuplet')
  const first = events[group.first] ?? refuse('noTuplet')
  const ticks = group.to - group.from
  const value = valueOfTicks(ticks)
  const isRest = first.notes.some(({ children }) => children.some(({ name }) => name === 'rest'))
  const values = value
    ? [{ onset: group.from, ticks, value }]
    : valuesBetween(group.from, group.to, editor.meterAt(index), isRest)
  const notes = withoutTupletMarks(first).notes
  overwrite(editor, found, [group.from, group.to], tiedEvents(notes, values))
  const selected = { part: at.part, index, staff, voice, onset: group.from }
  return { notes: [selected], caret: { ...at, onset: group.from } }
}
