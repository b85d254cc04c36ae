import { child, childText, type Element } from '../model/document.ts'
import { hasChild } from './note-element.ts'
import { TICKS_PER_QUARTER } from './values.ts'

/** A note, a chord or a rest. */
export interface Event {
  /** Ticks from the start of the measure. */
  readonly onset: number
  /** 0 for grace notes. */
  readonly ticks: number
  /** The `note` elements as they are written; those after the first are in its chord. */
  readonly notes: readonly Element[]
  readonly isGrace: boolean
}

/** The events of a voice. They do not overlap. */
export interface Stream {
  /** The text of `voice`. Undefined in a file that does not name voices. */
  readonly voice: string | undefined
  /** The staff of most of its notes. */
  readonly staff: number
  readonly events: readonly Event[]
}

/** Anything in a measure but notes: directions, chord symbols, signatures. */
export interface Mark {
  readonly element: Element
  readonly onset: number
  /** The place of the stream among whose notes it is written. */
  readonly stream: number
}

/** A measure of a part by voices. It never changes; operations make new ones. */
export interface MeasureModel {
  readonly element: Element
  readonly streams: readonly Stream[]
  readonly marks: readonly Mark[]
  /** The divisions before the measure, of its notes, and for the measure after it. */
  readonly divisions: {
    readonly before: number
    readonly own: number
    readonly after: number
    /** They are written before the first note, also if they are the same as before. */
    readonly isWritten: boolean
  }
  /** Ticks to the latest end of any voice. */
  readonly end: number
  /** Whether all durations are whole numbers. */
  readonly isWhole: boolean
}

interface OpenStream {
  voice: string | undefined
  events: { onset: number; ticks: number; notes: Element[]; isGrace: boolean }[]
  end: number
}

const known = new WeakMap<Element, MeasureModel>()

/**
 * Reads a measure by voices. Notes without a jump in time between them stay in one stream while their voice is the same, also
 * across staves. Equal voices that overlap become different streams.
 * @param divisions the divisions in force before the measure
 */
export function readMeasure(measure: Element, divisions: number): MeasureModel {
  const present = known.get(measure)
  if (present?.divisions.before === divisions) return present
  const model = parseMeasure(measure, divisions)
  known.set(measure, model)
  return model
}

function parseMeasure(measure: Element, before: number): MeasureModel {
  const streams: OpenStream[] = []
  const marks: { element: Element; onset: number; stream: number }[] = []
  let pending: typeof marks = []
  let divisions = before
  let own: number | undefined
  let isWritten = false
  /** Quarter notes to the last change of divisions, then divisions after it. */
  let base = 0
  let ticks = 0
  let end = 0
  let isWhole = true
  let current = -1
  const now = (): number => Math.round((base + ticks / divisions) * TICKS_PER_QUARTER)
  const settle = (stream: number): void => {
    for (const mark of pending) mark.stream = stream
    pending = []
  }
  const durationOf = (element: Element): number => {
    const duration = Number(childText(element, 'duration') ?? 0)
    if (!(duration >= 0)) return 0
    if (!Number.isInteger(duration)) isWhole = false
    return duration
  }

  for (const element of measure.children) {
    switch (element.name) {
      case 'note': {
        own ??= divisions
        const onset = now()
        const last = streams[current]?.events.at(-1)
        if (hasChild(element, 'chord') && last !== undefined) {
          last.notes.push(element)
          break
        }
        const isGrace = hasChild(element, 'grace')
        if (!isGrace) ticks += durationOf(element)
        const noteEnd = now()
        current = streamFor(streams, current, element, onset, noteEnd)
        settle(current)
        const stream = streams[current]
        stream?.events.push({ onset, ticks: isGrace ? 0 : noteEnd - onset, notes: [element], isGrace })
        if (stream) stream.end = noteEnd
        break
      }
      case 'backup':
        settle(Math.max(0, current))
        ticks = Math.max(ticks - durationOf(element), -base * divisions)
        break
      case 'forward':
        ticks += durationOf(element)
        break
      case 'attributes': {
        const onset = now()
        const changed = Number(childText(element, 'divisions'))
        if (changed > 0 && own === undefined) isWritten = true
        if (changed > 0 && changed !== divisions) {
          base += ticks / divisions
          ticks = 0
          divisions = changed
        }
        const kept = withoutDivisions(element)
        if (kept !== undefined) {
          const mark = { element: kept, onset, stream: -1 }
          marks.push(mark)
          pending.push(mark)
        }
        break
      }
      default: {
        const mark = { element, onset: now(), stream: -1 }
        marks.push(mark)
        pending.push(mark)
      }
    }
    end = Math.max(end, now())
  }
  settle(Math.max(0, current))
  return {
    element: measure,
    streams: streams.map(({ voice, events }) => ({ voice, staff: staffOfMost(events), events })),
    marks,
    divisions: { before, own: own ?? divisions, after: divisions, isWritten },
    end,
    isWhole,
  }
}

/** The stream to which a note belongs; a new one if it fits none. */
function streamFor(
  streams: OpenStream[],
  current: number,
  note: Element,
  onset: number,
  end: number,
): number {
  const voice = childText(note, 'voice')
  const fits = (stream: OpenStream | undefined): stream is OpenStream =>
    stream !== undefined && stream.voice === voice && stream.end <= onset
  if (fits(streams[current]) && streams[current]?.end === onset) return current
  const staff = staffOfNote(note)
  const sameStaff = streams.findIndex(
    (stream) =>
      fits(stream) && stream.events.some(({ notes: [first] }) => first && staffOfNote(first) === staff),
  )
  if (sameStaff >= 0) return sameStaff
  const found = streams.findIndex(fits)
  if (found >= 0) return found
  return streams.push({ voice, events: [], end }) - 1
}

function withoutDivisions(attributes: Element): Element | undefined {
  if (!child(attributes, 'divisions')) return attributes
  const children = attributes.children.filter(({ name }) => name !== 'divisions')
  return children.length > 0 ? { ...attributes, children } : undefined
}

export const staffOfNote = (note: Element): number => Number(childText(note, 'staff')) || 1

function staffOfMost(events: readonly { readonly notes: readonly Element[] }[]): number {
  const counts = new Map<number, number>()
  for (const { notes } of events)
    for (const note of notes) counts.set(staffOfNote(note), (counts.get(staffOfNote(note)) ?? 0) + 1)
  let best = 1
  for (const [staff, count] of counts) if (count > (counts.get(best) ?? 0)) best = staff
  return best
}
