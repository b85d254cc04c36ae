import type { Element } from '../model/document.ts'
import type { Event, MeasureModel, Stream } from './measure-model.ts'
import {
  hasTie,
  isRestNote,
  restNote,
  type TupletRatio,
  tupletRatioOf,
  withChildren,
  withTie,
  withValue,
  type WrittenVoice,
} from './note-element.ts'
import { isRestEvent, type PartEditor, streamPlace, withEvents, writtenVoice } from './part-editor.ts'
import { type TupletGroup, tupletsOf, valuesInTuplet, withTupletMarks } from './tuplets.ts'
import { type MeasureMeter, type PlacedValue, valuesBetween } from './values.ts'

/** A voice of a measure that is edited. */
export interface VoiceInMeasure {
  readonly index: number
  readonly staff: number
  readonly voice: number
}

/** The events of a voice from the start to the end of its measure, without gaps. A voice that is not there yet has a rest. */
export function fullEvents(editor: PartEditor, { index, staff, voice }: VoiceInMeasure): readonly Event[] {
  const meter = editor.meterAt(index)
  const written = writtenVoice(editor, staff, voice)
  const stream = editor.modelAt(index).streams[streamPlace(editor, index, staff, voice)]
  if (stream === undefined || stream.events.length === 0) return [measureRest(meter.length, written)]
  const events: Event[] = []
  let at = 0
  const fill = (to: number) => {
    if (at < to) events.push(...hidden(restsBetween(at, to, meter, written)))
  }
  for (const event of stream.events) {
    fill(event.onset)
    events.push(event)
    at = event.onset + event.ticks
  }
  fill(meter.length)
  return events
}

/** A voice that a file leaves silent has no rests on the page. */
const hidden = (rests: readonly Event[]): Event[] =>
  rests.map((rest) => ({
    ...rest,
    notes: rest.notes.map((note) => ({ ...note, attributes: { ...note.attributes, 'print-object': 'no' } })),
  }))

/** Puts events in the place of those of a voice. They fill the measure. */
export function setEvents(editor: PartEditor, place: VoiceInMeasure, events: readonly Event[]): void {
  const { index, staff, voice } = place
  const model = editor.modelAt(index)
  const stream = streamPlace(editor, index, staff, voice)
  const written = writtenVoice(editor, staff, voice)
  // The rests of a tuplet wait for its notes.
  const isSilent = events.every((event) => !event.isGrace && isRestEvent(event) && !isInTuplet(event))
  const kept = isSilent && events.length > 1 ? [measureRest(editor.meterAt(index).length, written)] : events
  if (stream >= 0) editor.replace(index, withEvents(model, stream, kept))
  else editor.replace(index, withStream(model, { voice: written.voice, staff, events: kept }))
}

const isInTuplet = ({ notes: [note] }: Event): boolean =>
  note !== undefined && tupletRatioOf(note) !== undefined

/** Adds a stream behind those of its staff and of the staves above. */
function withStream(model: MeasureModel, stream: Stream): MeasureModel {
  const found = model.streams.findIndex(({ staff }) => staff > stream.staff)
  const place = found < 0 ? model.streams.length : found
  return {
    ...model,
    streams: model.streams.toSpliced(place, 0, stream),
    marks: model.marks.map((mark) => (mark.stream >= place ? { ...mark, stream: mark.stream + 1 } : mark)),
  }
}

/** A rest that fills a measure of a length. */
export function measureRest(length: number, written: WrittenVoice): Event {
  return {
    onset: 0,
    ticks: length,
    notes: [restNote({ ...written, value: undefined }, true)],
    isGrace: false,
  }
}

/** Rests for a time that is not in a tuplet. */
export const restsBetween = (from: number, to: number, meter: MeasureMeter, written: WrittenVoice): Event[] =>
  restsOf(valuesBetween(from, to, meter, true), written)

const restsOf = (values: readonly PlacedValue[], written: WrittenVoice, ratio?: TupletRatio): Event[] =>
  values.map(({ onset, ticks, value }) => ({
    onset,
    ticks,
    notes: [restNote({ ...written, value, ratio })],
    isGrace: false,
  }))

/** The same notes for several values, tied to each other. Lyrics and signs stay at the first value. */
export function tiedEvents(
  notes: Event['notes'],
  values: readonly PlacedValue[],
  ratio?: TupletRatio,
): Event[] {
  const isRest = notes.some(isRestNote)
  return values.map(({ onset, ticks, value }, index) => ({
    onset,
    ticks,
    isGrace: false,
    notes: notes.map((note) => {
      const own = index === 0 ? note : continued(note)
      const valued = withValue(own, value, ratio)
      const hasNext = index < values.length - 1 || (index > 0 && hasTie(note, 'start'))
      return !isRest && hasNext ? withTie(valued, 'start') : valued
    }),
  }))
}

/** The note that continues another one. */
function continued(note: Element): Element {
  const plain = ['tie', 'accidental', 'notations', 'lyric', 'beam'].reduce(
    (one, name) => withChildren(one, name, []),
    note,
  )
  return isRestNote(note) ? plain : withTie(plain, 'stop')
}

/**
 * Puts events into a voice in the place of what is there at that time. What begins before is shortened, and what lasts longer leaves
 * rests. A tuplet of which a part is replaced is dissolved, if the new events are not in it.
 * @param events fill the time from `from` to `to` without gaps
 * @param inTuplet the tuplet that the events are in
 */
export function overwrite(
  editor: PartEditor,
  place: VoiceInMeasure,
  [from, to]: readonly [from: number, to: number],
  events: readonly Event[],
  inTuplet?: TupletGroup,
): void {
  const meter = editor.meterAt(place.index)
  const written = writtenVoice(editor, place.staff, place.voice)
  const present = fullEvents(editor, place)
  const groups = tupletsOf(present)
  const dissolved = groups.filter(
    (group) => group.from !== inTuplet?.from && group.from < to && group.to > from,
  )
  const isIn = (time: number, { from: start, to: end }: TupletGroup) => start <= time && time < end
  const before: Event[] = []
  const after: Event[] = []
  let restFrom = from
  let restTo = to
  for (const event of present) {
    const end = event.onset + event.ticks
    const dissolves = dissolved.find((group) => isIn(event.onset, group))
    if (event.isGrace ? event.onset <= from : end <= from) {
      if (dissolves && !event.isGrace) restFrom = Math.min(restFrom, dissolves.from)
      else if (!dissolves) before.push(event)
    } else if (event.onset >= to) {
      if (dissolves && !event.isGrace) restTo = Math.max(restTo, dissolves.to)
      else if (!dissolves) after.push(event)
    } else if (dissolves) {
      restFrom = Math.min(restFrom, dissolves.from)
      restTo = Math.max(restTo, dissolves.to)
    } else {
      if (event.onset < from) before.push(...shortened(event, from, meter, inTuplet))
      restTo = Math.max(restTo, end)
    }
  }
  const rests = (start: number, end: number): Event[] => {
    if (start >= end) return []
    return inTuplet
      ? restsOf(valuesInTuplet(start, end, inTuplet), written, inTuplet)
      : restsBetween(start, end, meter, written)
  }
  const all = [...before, ...rests(restFrom, from), ...events, ...rests(to, restTo), ...after]
  setEvents(editor, place, inTuplet ? withMarksAgain(all, inTuplet) : all)
}

/** The part of an event before a time. */
function shortened(event: Event, to: number, meter: MeasureMeter, ratio: TupletRatio | undefined): Event[] {
  const values = ratio
    ? valuesInTuplet(event.onset, to, ratio)
    : valuesBetween(event.onset, to, meter, isRestEvent(event))
  if (!isRestEvent(event)) return tiedEvents(event.notes, values, ratio)
  // A rest that is divided becomes several rests, none of which fills the measure.
  return tiedEvents(event.notes.map(withoutMeasureRest), values, ratio)
}

const withoutMeasureRest = (note: Element): Element => ({
  ...note,
  children: note.children.map((one) =>
    one.name === 'rest' && one.attributes.measure !== undefined ? { ...one, attributes: {} } : one,
  ),
})

/** Marks the ends of a tuplet whose events have changed. */
function withMarksAgain(events: readonly Event[], { from, to }: TupletGroup): Event[] {
  const isInside = ({ onset }: Event) => onset >= from && onset < to
  return [
    ...events.filter(({ onset }) => onset < from),
    ...withTupletMarks(events.filter(isInside)),
    ...events.filter(({ onset }) => onset >= to),
  ]
}
