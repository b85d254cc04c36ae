import { greatestCommonDivisor } from '../../lib/numbers.ts'
import { childText, type Element } from '../model/document.ts'
import { leaf, node } from '../model/element.ts'
import type { Event, Mark, MeasureModel } from './measure-model.ts'
import { withChildren } from './note-element.ts'
import { TICKS_PER_QUARTER } from './values.ts'

/** Divisions are made finer up to this number. Beyond it, durations are rounded so that their sum stays right. */
const MAX_NEW_DIVISIONS = 1_000_000

export interface WrittenMeasure {
  readonly element: Element
  /** The place of each note of the model among the notes of the element. */
  readonly places: ReadonlyMap<Element, number>
}

/**
 * Writes a measure: its streams one after the other, with what is written between their notes. If its notes need finer divisions,
 * they hold for this measure only, so that no other measure changes.
 * @param isLast no measure follows in the part
 */
export function writeMeasure(model: MeasureModel, isLast: boolean): WrittenMeasure {
  const { before, own, after, isWritten } = model.divisions
  const divisions = divisionsFor(model)
  const unitsAt = (tick: number): number => {
    const exact = (tick / TICKS_PER_QUARTER) * divisions
    return model.isWhole ? Math.round(exact) : Math.round(exact * 1e4) / 1e4
  }
  const written: Element[] = []
  const places = new Map<Element, number>()
  let at = 0
  const moveTo = (tick: number): void => {
    const distance = unitsAt(tick) - unitsAt(at)
    if (distance !== 0)
      written.push(node(distance < 0 ? 'backup' : 'forward', [leaf('duration', rounded(Math.abs(distance)))]))
    at = tick
  }
  const writeMark = ({ element, onset }: Mark): void => {
    moveTo(onset)
    written.push(element)
  }
  const writeEvent = (event: Event): void => {
    moveTo(event.onset)
    const units = rounded(unitsAt(event.onset + event.ticks) - unitsAt(event.onset))
    const [first] = event.notes
    const firstBefore = first && childText(first, 'duration')
    for (const note of event.notes) {
      places.set(note, places.size)
      const text = childText(note, 'duration')
      if (event.isGrace || text === undefined) written.push(note)
      else if (text === firstBefore || note === first || Number(text) === 0)
        written.push(withDuration(note, units))
      else written.push(withDuration(note, rounded((Number(text) * divisions) / own)))
    }
    at = event.onset + event.ticks
  }

  const heads = model.marks.filter(isHead)
  const tails = model.marks.filter(isTail)
  const inner = model.marks.filter((mark) => !isHead(mark) && !isTail(mark)).sort((a, b) => a.onset - b.onset)
  const streams = model.streams.filter(({ events }) => events.length > 0)
  for (const mark of heads) writeMark(mark)
  for (const [index, stream] of streams.entries()) {
    const place = model.streams.indexOf(stream)
    const marks = inner.filter((mark) =>
      index === 0
        ? mark.stream === place || !streams.includes(model.streams[mark.stream] ?? stream)
        : mark.stream === place,
    )
    let next = 0
    const writeMarksUpTo = (tick: number): void => {
      for (; next < marks.length; next++) {
        const mark = marks[next]
        if (mark === undefined || mark.onset > tick) break
        writeMark(mark)
      }
    }
    for (const event of stream.events) {
      writeMarksUpTo(event.onset)
      writeEvent(event)
    }
    writeMarksUpTo(Number.POSITIVE_INFINITY)
  }
  if (streams.length === 0) for (const mark of inner) writeMark(mark)
  const withTails = [
    ...written,
    ...restored(divisions, after, isLast),
    ...tails.map(({ element }) => element),
  ]
  const children = divisions === before && !isWritten ? withTails : withDivisions(withTails, divisions)
  return { element: { ...model.element, children }, places }
}

/** What stands before all notes. */
const isHead = ({ element, onset }: Mark): boolean =>
  onset === 0 &&
  (element.name === 'print' ||
    element.name === 'attributes' ||
    (element.name === 'barline' && element.attributes.location === 'left'))

/** What stands behind all notes. */
const isTail = ({ element }: Mark): boolean =>
  element.name === 'barline' && (element.attributes.location ?? 'right') === 'right'

/** The divisions for all times of a measure: those that it has, or a multiple. */
function divisionsFor(model: MeasureModel): number {
  let divisions = model.divisions.own
  if (!model.isWhole) return divisions
  const times = [
    ...model.streams.flatMap(({ events }) => events.flatMap(({ onset, ticks }) => [onset, onset + ticks])),
    ...model.marks.map(({ onset }) => onset),
  ]
  for (const time of times) {
    const units = (time / TICKS_PER_QUARTER) * divisions
    // A file that rounds its durations has times between the ticks.
    if (Math.abs(units - Math.round(units)) < 1e-4) continue
    const needed = TICKS_PER_QUARTER / greatestCommonDivisor(time, TICKS_PER_QUARTER)
    const common = (divisions / greatestCommonDivisor(divisions, needed)) * needed
    if (common <= MAX_NEW_DIVISIONS) divisions = common
  }
  return divisions
}

const rounded = (units: number): number => Math.round(units * 1e4) / 1e4

/** A note with a duration. The same note if it has it already. */
function withDuration(note: Element, units: number): Element {
  if (Number(childText(note, 'duration')) === units) return note
  return withChildren(note, 'duration', [leaf('duration', units)])
}

/** Puts the divisions before the first note. */
function withDivisions(children: readonly Element[], divisions: number): Element[] {
  const timed = children.findIndex(({ name }) => name === 'note' || name === 'forward' || name === 'backup')
  const place = children.findIndex(({ name }) => name === 'attributes')
  const present = children[place]
  if (present === undefined || (timed >= 0 && timed < place)) {
    const first = children.findIndex(({ name }) => name !== 'print')
    return children.toSpliced(first < 0 ? children.length : first, 0, divisionsElement(divisions))
  }
  const isAfter = present.children.findIndex(({ name }) => name !== 'footnote' && name !== 'level')
  const inner = present.children.toSpliced(Math.max(0, isAfter), 0, leaf('divisions', divisions))
  return children.with(place, { ...present, children: inner })
}

const divisionsElement = (divisions: number): Element => node('attributes', [leaf('divisions', divisions)])

/** Gives the next measure the divisions with which it was written. */
const restored = (divisions: number, after: number, isLast: boolean): Element[] =>
  divisions === after || isLast ? [] : [divisionsElement(after)]
