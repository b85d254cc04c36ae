import { leaf, node } from '../../model/element.ts'
import { withAttributes } from '../attributes.ts'
import type { Event, MeasureModel } from '../measure-model.ts'
import type { Outcome } from '../operation.ts'
import { measureRest, restsBetween } from '../overwrite.ts'
import { isRestEvent, type PartEditor, voiceOfStream, writtenVoice } from '../part-editor.ts'
import { refuse } from '../refusal.ts'
import type { Session } from '../session.ts'
import { type MeasureMeter, TICKS_PER_QUARTER } from '../values.ts'

/**
 * Gives the score a time signature from a measure on, up to the next one. Longer measures get rests at their ends. Shorter ones lose rests
 * only: if there are notes, the operation is refused.
 */
export interface SetTime {
  readonly type: 'setTime'
  /** The uuid of the measure. */
  readonly measure: string
  readonly beats: number
  readonly beatType: number
}

const mostBeats = 32
const beatTypes = [1, 2, 4, 8, 16, 32, 64]

/** @throws Refusal `notesWouldBeLost`, `invalidValue`, `noSuchMeasure` */
export function setTime(session: Session, { measure, beats, beatType }: SetTime): Outcome {
  if (!Number.isInteger(beats) || beats < 1 || beats > mostBeats || !beatTypes.includes(beatType))
    refuse('invalidValue')
  const length = (4 * TICKS_PER_QUARTER * beats) / beatType
  const time = node('time', [leaf('beats', beats), leaf('beat-type', beatType)])
  for (const part of session.parts) {
    const editor = session.part(part)
    const from = editor.indexOfMeasure(measure)
    const old = editor.originalStateAt(from).time?.length ?? 4 * TICKS_PER_QUARTER
    for (
      let index = from;
      index < editor.measures.length && (index === from || !hasTime(editor.modelAt(index)));
      index++
    ) {
      // A pick-up, or another measure of a length of its own, keeps it.
      const isFull = editor.meterAt(index).length === old
      if (isFull && old !== length)
        editor.replace(index, ofLength(editor, index, { beats, beatType, length, isPickup: false }))
    }
    editor.replace(
      from,
      withAttributes(editor.modelAt(from), 0, [time], ({ name }) => name === 'time'),
    )
  }
  return { notes: [] }
}

const hasTime = ({ marks }: MeasureModel): boolean =>
  marks.some(
    ({ element }) => element.name === 'attributes' && element.children.some(({ name }) => name === 'time'),
  )

/** A measure with rests at the end, or without those that it has there. */
function ofLength(editor: PartEditor, index: number, meter: MeasureMeter): MeasureModel {
  const model = editor.modelAt(index)
  const { length } = meter
  const before = editor.meterAt(index).length
  const streams = model.streams.map((stream) => {
    if (stream.events.length === 0) return stream
    const written = writtenVoice(editor, editor.staffOf(stream), voiceOfStream(editor, stream))
    if (stream.events.every((event) => isRestEvent(event) && !event.isGrace))
      return { ...stream, events: [measureRest(length, written)] }
    const end = stream.events.reduce((latest, { onset, ticks }) => Math.max(latest, onset + ticks), 0)
    if (end < before && end <= length) return stream
    const kept = stream.events.filter(({ onset, ticks }) => onset + ticks <= length)
    const lost = stream.events.filter((event) => !kept.includes(event))
    if (!lost.every((event) => isRestEvent(event) && !event.isGrace && !isInTuplet(event)))
      refuse('notesWouldBeLost')
    const rests = restsBetween(
      kept.reduce((latest, { onset, ticks }) => Math.max(latest, onset + ticks), 0),
      length,
      meter,
      written,
    )
    return { ...stream, events: [...kept, ...rests] }
  })
  const marks = model.marks.map((mark) => (mark.onset > length ? { ...mark, onset: length } : mark))
  return { ...model, streams, marks, end: length }
}

const isInTuplet = ({ notes: [note] }: Event): boolean =>
  note?.children.some(({ name }) => name === 'time-modification') ?? false
