import type { ScoreDocument } from '../../model/document.ts'
import { measuresOf } from '../../model/document.ts'
import type { Event, MeasureModel } from '../measure-model.ts'
import type { Outcome } from '../operation.ts'
import { measureRest, restsBetween } from '../overwrite.ts'
import { isRestEvent, type PartEditor, voiceOfStream, writtenVoice } from '../part-editor.ts'
import { refuse } from '../refusal.ts'
import { openSession, type Session, writeSession } from '../session.ts'
import { TICKS_PER_QUARTER } from '../values.ts'
import { deleteMeasures } from './delete.ts'
import { insertMeasures } from './insert.ts'
import { renumbered, withMeasures } from './measure-list.ts'

/**
 * Begins the score with a pick-up, changes its length at its beginning, or removes it. Only rests are removed: if there are notes, the
 * operation is refused.
 */
export interface SetPickup {
  readonly type: 'setPickup'
  /** The length, shorter than a full measure. 0 removes the pick-up. */
  readonly ticks: number
  /** A new uuid in lower case, for a score without a pick-up. */
  readonly uuid: string
}

/** @throws Refusal `invalidValue`, `notesWouldBeLost` */
export function setPickup(session: Session, { ticks, uuid }: SetPickup): Outcome {
  const first = session.part(session.parts[0] ?? refuse('noSuchPart'))
  const full = first.stateAt(0).time?.length ?? 4 * TICKS_PER_QUARTER
  if (!Number.isInteger(ticks) || ticks < 0 || ticks >= full) refuse('invalidValue')
  const start = first.measures[0]?.uuid ?? refuse('noSuchMeasure')
  const hasPickup = first.meterAt(0).length < full
  if (!hasPickup) {
    if (ticks === 0) return { notes: [] }
    const { score } = insertMeasures(session, { type: 'insertMeasures', before: start, uuids: [uuid] })
    const document = withLength(score?.document ?? session.document, ticks)
    return { notes: [], score: { document: asPickup(document), added: [uuid] } }
  }
  if (ticks === 0) {
    if (!session.parts.every((part) => isSilent(session.part(part)))) refuse('notesWouldBeLost')
    return deleteMeasures(session, { type: 'deleteMeasures', measures: [start] })
  }
  return { notes: [], score: { document: withLength(session.document, ticks) } }
}

const isSilent = (editor: PartEditor): boolean =>
  editor.modelAt(0).streams.every(({ events }) => events.every(isRestEvent))

function withLength(document: ScoreDocument, ticks: number): ScoreDocument {
  const session = openSession(document)
  for (const part of session.parts) {
    const editor = session.part(part)
    editor.replace(0, ofLengthFromEnd(editor, ticks))
  }
  return writeSession(document, session.editors).document
}

/** The first measure with more or fewer rests at its beginning. */
function ofLengthFromEnd(editor: PartEditor, length: number): MeasureModel {
  const model = editor.modelAt(0)
  const distance = length - editor.meterAt(0).length
  const meter = { ...editor.meterAt(0), length, isPickup: true }
  const streams = model.streams.map((stream) => {
    const written = writtenVoice(editor, editor.staffOf(stream), voiceOfStream(editor, stream))
    if (stream.events.every((event) => isRestEvent(event) && !event.isGrace))
      return { ...stream, events: [measureRest(length, written)] }
    const moved = stream.events.map((event) => ({ ...event, onset: event.onset + distance }))
    const kept = moved.filter(({ onset }) => onset >= 0)
    const lost = moved.filter(({ onset }) => onset < 0)
    if (!lost.every(isLoss)) refuse('notesWouldBeLost')
    return { ...stream, events: [...restsBetween(0, kept[0]?.onset ?? length, meter, written), ...kept] }
  })
  const marks = model.marks.map((mark) => ({
    ...mark,
    onset: mark.onset === 0 ? 0 : Math.max(0, mark.onset + distance),
  }))
  return { ...model, streams, marks, end: length }
}

const isLoss = (event: Event): boolean =>
  isRestEvent(event) &&
  !event.notes.some(({ children }) => children.some(({ name }) => name === 'time-modification'))

/** The first measure has no number of its own. */
const asPickup = (document: ScoreDocument): ScoreDocument =>
  withMeasures(document, (part) => {
    const [first, ...others] = measuresOf(part)
    if (first === undefined) return undefined
    const start = { ...first, attributes: { ...first.attributes, number: '0', implicit: 'yes' } }
    return [start, ...renumbered(others, 0, -1)]
  })
