import type { Element } from '../model/document.ts'
import type { MeasureModel } from './measure-model.ts'
import { hasTie, mapNotations, notationsOf, pitchOfNote, withoutTie } from './note-element.ts'

/** The ends of ties that have their other end, by the note. */
interface MatchedTies {
  readonly starts: ReadonlySet<Element>
  readonly stops: ReadonlySet<Element>
}

/** Neighbouring measures of a part. */
interface TiedMeasures {
  readonly models: readonly MeasureModel[]
  /** The length of each in ticks. */
  readonly lengths: readonly number[]
}

/**
 * Finds the ties of neighbouring measures that have both ends. A tie ends at a note of the same pitch where its first note ends, in
 * any voice of the part.
 */
function matchedTies({ models, lengths }: TiedMeasures): MatchedTies {
  const stopsAt = new Map<string, Element[]>()
  const starts = new Set<Element>()
  const stops = new Set<Element>()
  const key = (measure: number, onset: number, note: Element): string => {
    const pitch = pitchOfNote(note)
    const isNext = onset >= (lengths[measure] ?? 0)
    const place = isNext ? `${measure + 1} 0` : `${measure} ${onset}`
    return `${place} ${pitch?.step}${pitch?.alter}${pitch?.octave}`
  }
  const each = (visit: (measure: number, onset: number, end: number, note: Element) => void) => {
    for (const [measure, { streams }] of models.entries())
      for (const { events } of streams)
        for (const { onset, ticks, notes } of events)
          for (const note of notes) visit(measure, onset, onset + ticks, note)
  }
  each((measure, onset, _end, note) => {
    if (!hasTie(note, 'stop')) return
    const name = key(measure, onset, note)
    stopsAt.set(name, [...(stopsAt.get(name) ?? []), note])
  })
  each((measure, _onset, end, note) => {
    if (!hasTie(note, 'start')) return
    const found = stopsAt.get(key(measure, end, note))
    if (found === undefined) return
    starts.add(note)
    for (const stop of found) stops.add(stop)
  })
  return { starts, stops }
}

/**
 * Removes ties that have lost their other end. Those that had none before the operation, such as into a second ending, stay.
 * @param before the measures before the operation, and `after` those at their place
 */
export function withoutLooseTies(before: TiedMeasures, after: TiedMeasures): MeasureModel[] {
  const old = new Set(
    before.models.flatMap(({ streams }) =>
      streams.flatMap(({ events }) => events.flatMap(({ notes }) => notes)),
    ),
  )
  const matchedBefore = matchedTies(before)
  const matched = matchedTies(after)
  const wasLoose = (note: Element, ends: 'starts' | 'stops') =>
    old.has(note) && !matchedBefore[ends].has(note)
  return after.models.map((model) =>
    mapNotes(model, (note) => {
      const untied =
        hasTie(note, 'start') && !matched.starts.has(note) && !wasLoose(note, 'starts')
          ? withoutTie(note, 'start')
          : note
      return hasTie(note, 'stop') && !matched.stops.has(note) && !wasLoose(note, 'stops')
        ? withoutTie(untied, 'stop')
        : untied
    }),
  )
}

/** Changes notes of a measure. Returns the same measure if none changes. */
export function mapNotes(model: MeasureModel, change: (note: Element) => Element): MeasureModel {
  let isChanged = false
  const streams = model.streams.map((stream) => ({
    ...stream,
    events: stream.events.map((event) => {
      const notes = event.notes.map(change)
      if (notes.every((note, index) => note === event.notes[index])) return event
      isChanged = true
      return { ...event, notes }
    }),
  }))
  return isChanged ? { ...model, streams } : model
}

/** Signs that connect two notes of a part and have a number. */
export const spanners = new Set(['slur', 'glissando', 'slide'])

/** The signs of notes that have both ends. The order in which a file writes voices can put an end before its start. */
export function matchedSpanners(notes: readonly Element[]): Set<Element> {
  const matched = new Set<Element>()
  const open = new Map<string, Element[]>()
  const early = new Map<string, Element[]>()
  const join = (from: Map<string, Element[]>, to: Map<string, Element[]>, sign: Element) => {
    const name = `${sign.name} ${sign.attributes.number ?? '1'}`
    const other = from.get(name)?.pop()
    if (other) matched.add(other).add(sign)
    else to.set(name, [...(to.get(name) ?? []), sign])
  }
  for (const note of notes) {
    for (const sign of notationsOf(note)) {
      if (!spanners.has(sign.name)) continue
      if (sign.attributes.type === 'stop') join(open, early, sign)
      if (sign.attributes.type === 'start') join(early, open, sign)
    }
  }
  return matched
}

/** Whether a note has the end of a sign that connects it to another note. */
const hasSpanner = (note: Element): boolean => notationsOf(note).some(({ name }) => spanners.has(name))

/** Whether an operation has changed which notes are connected by slurs and similar signs. */
export function spannersChanged(before: readonly MeasureModel[], after: readonly MeasureModel[]): boolean {
  const signs = (models: readonly MeasureModel[]) =>
    models
      .flatMap(notesOfModel)
      .filter(hasSpanner)
      .flatMap(notationsOf)
      .filter(({ name }) => spanners.has(name))
  const old = signs(before)
  const present = signs(after)
  return old.length !== present.length || old.some((sign) => !present.includes(sign))
}

/**
 * The slurs and similar signs of a part that have lost their other end.
 * @param before all notes of the part before the operation, and `after` those after it
 */
export function looseSpanners(before: readonly Element[], after: readonly Element[]): Set<Element> {
  const wasMatched = matchedSpanners(before)
  const old = new Set(before.flatMap(notationsOf))
  const matched = matchedSpanners(after)
  const present = after.flatMap(notationsOf).filter(({ name }) => spanners.has(name))
  return new Set(present.filter((sign) => !matched.has(sign) && (wasMatched.has(sign) || !old.has(sign))))
}

export const withoutSigns = (model: MeasureModel, signs: ReadonlySet<Element>): MeasureModel =>
  mapNotes(model, (note) => mapNotations(note, (sign) => (signs.has(sign) ? [] : [sign])))

export const notesOfModel = ({ streams }: MeasureModel): Element[] =>
  streams.flatMap(({ events }) => events.flatMap(({ notes }) => notes))
