import { childrenNamed, type Element } from '../model/document.ts'
import { leaf } from '../model/element.ts'
import type { Event, MeasureModel } from './measure-model.ts'
import { hasChild, tupletRatioOf, valueOfNote, withChildren } from './note-element.ts'
import { isRestEvent } from './part-editor.ts'
import { beamsOfType, beatsOfMeasure, type MeasureMeter, TICKS_PER_QUARTER } from './values.ts'

const levelsOf = (event: Event): number => {
  const value = event.notes[0] && !isRestEvent(event) ? valueOfNote(event.notes[0]) : undefined
  return value ? beamsOfType(value.type) : 0
}

const hasBeam = (event: Event): boolean => event.notes.some((note) => hasChild(note, 'beam'))

/** Whether a measure has beams, and whether it has neighbouring short notes of a beat without a beam. */
interface Beaming {
  readonly hasBeams: boolean
  readonly hasFlags: boolean
}

const known = new WeakMap<MeasureModel, Beaming>()

function beamingOf(model: MeasureModel): Beaming {
  const present = known.get(model)
  if (present) return present
  const quarterOf = ({ onset }: Event) => Math.floor(onset / TICKS_PER_QUARTER)
  const streams = model.streams.map(({ events }) => events.filter(({ isGrace }) => !isGrace))
  const isFlagged = (event: Event, next: Event | undefined): boolean =>
    next !== undefined && levelsOf(event) > 0 && levelsOf(next) > 0 && quarterOf(event) === quarterOf(next)
  const beaming = {
    hasBeams: streams.some((events) => events.some(hasBeam)),
    hasFlags: streams.some((events) => events.some((event, index) => isFlagged(event, events[index + 1]))),
  }
  known.set(model, beaming)
  return beaming
}

/** Whether a part has its beams in the file. Without any beam, programs draw their own. */
export function writesBeams(models: readonly MeasureModel[]): boolean {
  const all = models.map(beamingOf)
  return all.some(({ hasBeams }) => hasBeams) || !all.some(({ hasFlags }) => hasFlags)
}

/**
 * Gives the notes that an operation has changed their beams, and the notes in the same beat or under the same beam. Other beams stay
 * as the author has written them.
 */
export function withBeams(before: MeasureModel, after: MeasureModel, meter: MeasureMeter): MeasureModel {
  const old = new Set(
    before.streams.flatMap(({ voice, events }) => events.map((event) => timingOf(voice, event))),
  )
  const streams = after.streams.map((stream) => {
    const events = withGraceBeams(stream.events)
    const isOld = events.map((event) => event.isGrace || old.has(timingOf(stream.voice, event)))
    const isSame = isOld.every(Boolean) && groupsUnderBeams(events).broken.length === 0
    if (isSame) return events === stream.events ? stream : { ...stream, events }
    return { ...stream, events: beamedAgain(events, isOld, meter) }
  })
  return { ...after, streams }
}

/** Beams neighbouring grace notes again, if their beam has lost its beginning or its end. */
function withGraceBeams(events: readonly Event[]): readonly Event[] {
  const runs: [number, Event][][] = []
  for (const [place, event] of events.entries()) {
    if (!event.isGrace) continue
    const run = runs.at(-1)
    if (run?.at(-1)?.[0] === place - 1) run.push([place, event])
    else runs.push([[place, event]])
  }
  let result = events
  for (const run of runs) {
    const asMain = run.map(([, event]) => ({ ...event, isGrace: false }))
    if (groupsUnderBeams(asMain).broken.length === 0) continue
    for (const [place, event] of beamedRun(run)) result = result.with(place, event)
  }
  return result
}

/** What beams depend on, and the beams of an event. */
function timingOf(voice: string | undefined, event: Event): string {
  const beams = event.notes.flatMap((note) => childrenNamed(note, 'beam').map(({ text }) => text))
  return [voice, event.onset, event.ticks, levelsOf(event), beams].join(' ')
}

function beamedAgain(events: readonly Event[], isOld: readonly boolean[], meter: MeasureMeter): Event[] {
  const windows = windowsOf(events, meter)
  const { complete, broken } = groupsUnderBeams(events)
  const groups = [...complete, ...windows]
  const isDirty = isOld.map((one, place) => !one || broken.includes(place))
  // A change spreads to the notes under the same beam, and from there to the rest of their beats.
  for (let isSpreading = true; isSpreading; ) {
    isSpreading = false
    for (const places of groups) {
      if (!places.some((place) => isDirty[place]) || places.every((place) => isDirty[place])) continue
      for (const place of places) isDirty[place] = true
      isSpreading = true
    }
  }
  const result = [...events]
  for (const places of windows) {
    const free = places.filter((place) => isDirty[place])
    for (const [place, event] of beamedGroup(free.map((place) => [place, events[place]])))
      result[place] = event
  }
  return result
}

/** The places of events that share a beam now. Those of a beam that has lost its beginning or its end are apart. */
function groupsUnderBeams(events: readonly Event[]): { complete: number[][]; broken: number[] } {
  const complete: number[][] = []
  const broken: number[] = []
  let open: number[] | undefined
  for (const [place, event] of events.entries()) {
    if (event.isGrace) continue
    const [first] = event.notes
    const beams = first ? childrenNamed(first, 'beam') : []
    const type = beams.find(({ attributes }) => (attributes.number ?? '1') === '1')?.text.trim()
    if (type === 'begin') {
      broken.push(...(open ?? []))
      open = [place]
    } else if (open) {
      open.push(place)
      if (type !== 'end') continue
      complete.push(open)
      open = undefined
    } else if (type !== undefined) broken.push(place)
  }
  return { complete, broken: [...broken, ...(open ?? [])] }
}

/** The places of the events of each beat. Eighth notes are beamed over two beats of 4/4, and over all of 3/8. */
function windowsOf(events: readonly Event[], meter: MeasureMeter): number[][] {
  const beats = beatsOfMeasure(meter)
  const ends: number[] = []
  let at = 0
  for (const beat of beats) {
    at += beat
    ends.push(at)
  }
  const windowOf = (onset: number): number => ends.findIndex((end) => onset < end)
  const windows: number[][] = []
  for (const [place, event] of events.entries()) {
    if (event.isGrace) continue
    const window = windowOf(event.onset)
    const places = windows[window]
    if (places) places.push(place)
    else windows[window] = [place]
  }
  const isFourFour = meter.beats === 4 && meter.beatType === 4 && beats.length === 4
  if (!isFourFour) return windows.filter(Boolean)
  const isEighths = (places: readonly number[] | undefined): boolean =>
    places?.length === 2 &&
    places.every((place) => {
      const event = events[place]
      return event !== undefined && levelsOf(event) === 1 && event.ticks === TICKS_PER_QUARTER / 2
    })
  return [0, 2].flatMap((first) => {
    const [one, two] = [windows[first], windows[first + 1]]
    if (one && two && isEighths(one) && isEighths(two)) return [[...one, ...two]]
    return [one, two].filter((places) => places !== undefined)
  })
}

/** Beams the neighbouring short notes of a group. Rests and longer notes divide it. */
function beamedGroup(places: readonly (readonly [number, Event | undefined])[]): [number, Event][] {
  const result: [number, Event][] = []
  let run: [number, Event][] = []
  const close = () => {
    result.push(...beamedRun(run))
    run = []
  }
  for (const [place, event] of places) {
    if (event === undefined) continue
    const last = run.at(-1)
    if (last && place !== last[0] + 1 && !isOnlyGraceBetween(last[1], event)) close()
    if (levelsOf(event) === 0) {
      close()
      result.push([place, withoutBeams(event)])
    } else run.push([place, event])
  }
  close()
  return result
}

const isOnlyGraceBetween = (event: Event, next: Event): boolean => event.onset + event.ticks === next.onset

const withoutBeams = (event: Event): Event =>
  hasBeam(event) ? { ...event, notes: event.notes.map((note) => withChildren(note, 'beam', [])) } : event

function beamedRun(run: readonly [number, Event][]): [number, Event][] {
  if (run.length < 2) return run.map(([place, event]) => [place, withoutBeams(event)])
  const levels = run.map(([, event]) => levelsOf(event))
  return run.map(([place, event], index) => {
    const own = levels[index] ?? 0
    const beams: Element[] = []
    for (let level = 1; level <= own; level++) {
      const before = (levels[index - 1] ?? 0) >= level
      const after = (levels[index + 1] ?? 0) >= level
      const type = before ? (after ? 'continue' : 'end') : after ? 'begin' : hookOf(run, index)
      beams.push(leaf('beam', type, { number: String(level) }))
    }
    const [first, ...chord] = event.notes
    if (first === undefined) return [place, event]
    const plain = withChildren(first, 'stem', [])
    return [
      place,
      {
        ...event,
        notes: [
          withChildren(plain, 'beam', beams),
          ...chord.map((note) => withChildren(withChildren(note, 'stem', []), 'beam', [])),
        ],
      },
    ]
  })
}

/** A beam of one note points to the note to which its time belongs. */
function hookOf(run: readonly [number, Event][], index: number): string {
  const event = run[index]?.[1]
  if (index === 0 || event === undefined) return 'forward hook'
  if (index === run.length - 1) return 'backward hook'
  const ratio = event.notes[0] && tupletRatioOf(event.notes[0])
  return !ratio && event.onset % (2 * event.ticks) === 0 ? 'forward hook' : 'backward hook'
}
