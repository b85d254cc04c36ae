import type { Element } from '../model/document.ts'
import { node } from '../model/element.ts'
import type { Event } from './measure-model.ts'
import { mapNotations, notationsOf, type TupletRatio, tupletRatioOf, withNotation } from './note-element.ts'
import { type PlacedValue, TICKS_PER_QUARTER, valueOfTicks } from './values.ts'

/** A tuplet of a stream, with the tuplets in it. */
export interface TupletGroup extends TupletRatio {
  /** The places of its first and last event in the stream. */
  readonly first: number
  readonly last: number
  readonly from: number
  readonly to: number
}

const count = (event: Event, type: string): number =>
  event.notes[0]
    ? notationsOf(event.notes[0]).filter((one) => one.name === 'tuplet' && one.attributes.type === type)
        .length
    : 0

/** Returns the outermost tuplets of a stream. Without marks of its ends, a tuplet ends where its notes fill plain values. */
export function tupletsOf(events: readonly Event[]): TupletGroup[] {
  const groups: TupletGroup[] = []
  let open: { first: number; depth: number; isMarked: boolean; ratio: TupletRatio } | undefined
  let last = -1
  const close = () => {
    const [start, end] = [events[open?.first ?? -1], events[last]]
    if (open && start && end)
      groups.push({ ...open.ratio, first: open.first, last, from: start.onset, to: end.onset + end.ticks })
    open = undefined
  }
  for (const [place, event] of events.entries()) {
    if (event.isGrace) continue
    const ratio = event.notes[0] && tupletRatioOf(event.notes[0])
    if (ratio === undefined) {
      close()
      continue
    }
    const starts = count(event, 'start')
    if (open && starts > 0 && open.depth === 0) close()
    open ??= { first: place, depth: 0, isMarked: starts > 0, ratio }
    open.depth += starts - count(event, 'stop')
    last = place
    const from = events[open.first]?.onset ?? 0
    const isPlain = (event.onset + event.ticks - from) % (TICKS_PER_QUARTER / 256) === 0
    if (open.isMarked ? open.depth <= 0 : isPlain) close()
  }
  close()
  return groups
}

/** The tuplet in which a time is. */
export const tupletAt = (events: readonly Event[], onset: number): TupletGroup | undefined =>
  tupletsOf(events).find(({ from, to }) => from <= onset && onset < to)

const withoutMarks = (note: Element): Element =>
  mapNotations(note, (one) => (one.name === 'tuplet' ? [] : [one]))

/** The event without the ends of tuplets. */
export const withoutTupletMarks = (event: Event): Event => ({
  ...event,
  notes: event.notes.map(withoutMarks),
})

/** Marks the first and the last event as the ends of a tuplet. */
export function withTupletMarks(events: readonly Event[]): Event[] {
  const places = events.flatMap(({ isGrace }, index) => (isGrace ? [] : [index]))
  return events.map((event, index) => {
    const types = [...(index === places[0] ? ['start'] : []), ...(index === places.at(-1) ? ['stop'] : [])]
    const [first, ...others] = event.notes.map((note) => (event.isGrace ? note : withoutMarks(note)))
    if (first === undefined || types.length === 0) return { ...event, notes: first ? [first, ...others] : [] }
    const marked = types.reduce(
      (note, type) => withNotation(note, node('tuplet', [], { type, number: '1' })),
      first,
    )
    return { ...event, notes: [marked, ...others] }
  })
}

/** Divides a time in a tuplet into values. */
export function valuesInTuplet(from: number, to: number, { actual, normal }: TupletRatio): PlacedValue[] {
  const values: PlacedValue[] = []
  let onset = from
  while (onset < to) {
    const left = ((to - onset) * actual) / normal
    let ticks = left
    if (valueOfTicks(left) === undefined) {
      ticks = TICKS_PER_QUARTER / 256
      while (ticks * 2 <= left) ticks *= 2
      if (ticks > left) ticks = left
    }
    values.push({ onset, ticks: (ticks * normal) / actual, value: valueOfTicks(ticks) })
    onset += (ticks * normal) / actual
  }
  return values
}
