import { child, childText, type Element, measuresOf } from '../../model/document.ts'
import { walkMeasure } from '../../model/measure-walk.ts'
import { numberOf } from '../../timeline/written.ts'

/** Notes of one duration that begin together, or a rest. */
export interface Chord {
  /** Ticks from the start of the measure. */
  readonly onset: number
  /** Ticks. */
  readonly duration: number
  /** The `note` elements, lowest first as written. A rest has one, and the space in which a voice is silent none. */
  readonly notes: Element[]
  readonly kind: 'notes' | 'rest' | 'space'
  /** The grace notes before it, each a chord. */
  readonly graces: readonly Element[][]
  /** The number of slurs that begin and end here. */
  slurs: { begin: number; end: number }
}

/** A voice of ABC, in which chords never overlap. */
export interface Voice {
  readonly staff: number
  /** For each measure of the part, in the order of their onsets. */
  readonly measures: readonly Chord[][]
}

/** A child of a measure that is no note, and its position. */
export interface Mark {
  /** Ticks from the start of the measure. */
  readonly at: number
  readonly element: Element
}

export interface PartVoices {
  /** In the order of their staves; at least one. */
  readonly voices: readonly Voice[]
  readonly marks: readonly (readonly Mark[])[]
  /** The length of each measure in ticks; 0 for an empty one. */
  readonly lengths: readonly number[]
}

/** A document can have any number of voices, and each of them is written in every measure. Further ones are left out. */
const maxVoicesOfPart = 16

/**
 * Splits a part into voices without overlaps. A voice of MusicXML whose chords overlap, or have notes of several durations,
 * becomes more than one.
 */
export function voicesOf(part: Element, ticksPerQuarter: number): PartVoices {
  const measures = measuresOf(part)
  const names = new Map<string, { staves: Map<number, number>; measures: Chord[][] }>()
  const marks: Mark[][] = []
  const lengths: number[] = []
  let divisions = 1
  for (const [column, measure] of measures.entries()) {
    const read = readMeasure(measure, divisions, ticksPerQuarter)
    divisions = read.divisions
    marks.push(read.marks)
    lengths.push(read.length)
    for (const [name, chords] of read.chords) {
      for (const [lane, ofLane] of lanesOf(chords).entries()) {
        const key = `${name}\n${lane}`
        let voice = names.get(key)
        if (voice === undefined) {
          if (names.size >= maxVoicesOfPart) continue
          voice = { staves: new Map(), measures: measures.map(() => []) }
          names.set(key, voice)
        }
        voice.measures[column] = ofLane
        for (const { notes } of ofLane) {
          const staff = staffOf(notes[0])
          voice.staves.set(staff, (voice.staves.get(staff) ?? 0) + 1)
        }
      }
    }
  }
  const voices = [...names.values()].map(({ staves, measures }): Voice => {
    const [[staff = 1] = []] = [...staves].sort(([, a], [, b]) => b - a)
    return { staff, measures }
  })
  if (voices.length === 0) voices.push({ staff: 1, measures: measures.map(() => []) })
  for (const voice of voices) pairSlurs(voice)
  return { voices: voices.sort((a, b) => a.staff - b.staff), marks, lengths }
}

export const staffOf = (element: Element | undefined): number =>
  (element && numberOf(childText(element, 'staff'))) ?? 1

interface ReadMeasure {
  /** By the name of the voice. */
  readonly chords: ReadonlyMap<string, Chord[]>
  readonly marks: Mark[]
  readonly length: number
  readonly divisions: number
}

function readMeasure(measure: Element, divisions: number, ticksPerQuarter: number): ReadMeasure {
  const chords = new Map<string, Chord[]>()
  const graces = new Map<string, Element[][]>()
  const marks: Mark[] = []
  let last: Chord | undefined
  const ticks = (quarters: number) => Math.round(quarters * ticksPerQuarter)
  const walked = walkMeasure(measure, divisions, (element, start, length) => {
    const [onset, duration] = [ticks(start), ticks(start + length) - ticks(start)]
    if (element.name !== 'note') {
      marks.push({ at: onset, element })
      return
    }
    const voice = childText(element, 'voice') ?? '1'
    const inChord = child(element, 'chord') !== undefined
    if (child(element, 'grace')) {
      if (!graces.has(voice)) graces.set(voice, [])
      const run = graces.get(voice)
      if (inChord && run?.length) run.at(-1)?.push(element)
      else run?.push([element])
      return
    }
    if (duration === 0) return
    if (inChord && last?.kind === 'notes' && last.duration === duration && last.onset === onset) {
      last.notes.push(element)
      return
    }
    const chord: Chord = {
      onset,
      duration,
      notes: [element],
      kind: kindOf(element),
      graces: inChord ? [] : (graces.get(voice) ?? []),
      slurs: { begin: 0, end: 0 },
    }
    if (!inChord) {
      graces.delete(voice)
      last = chord
    }
    if (!chords.has(voice)) chords.set(voice, [])
    chords.get(voice)?.push(chord)
  })
  return { chords, marks, length: ticks(walked.length), divisions: walked.divisions }
}

function kindOf(note: Element): Chord['kind'] {
  const isHidden = note.attributes['print-object'] === 'no'
  if (child(note, 'cue')) return 'space'
  if (child(note, 'rest')) return isHidden ? 'space' : 'rest'
  return child(note, 'pitch') || child(note, 'unpitched') ? 'notes' : 'space'
}

/** Distributes chords so that those of a lane do not overlap. */
function lanesOf(chords: readonly Chord[]): Chord[][] {
  const lanes: { end: number; chords: Chord[] }[] = []
  for (const chord of [...chords].sort((a, b) => a.onset - b.onset)) {
    let lane = lanes.find(({ end }) => end <= chord.onset)
    if (lane === undefined) {
      if (lanes.length === maxVoicesOfPart) continue
      lane = { end: 0, chords: [] }
      lanes.push(lane)
    }
    lane.chords.push(chord)
    lane.end = chord.onset + chord.duration
  }
  return lanes.map(({ chords }) => chords)
}

/** Counts the slurs whose both ends are in the voice. ABC has no others. */
function pairSlurs(voice: Voice): void {
  const open = new Map<string, Chord>()
  for (const chord of voice.measures.flat()) {
    const slurs = chord.notes.flatMap((note) => signsOf(note).filter(({ name }) => name === 'slur'))
    for (const { attributes } of slurs) {
      const number = attributes.number ?? '1'
      const begin = open.get(number)
      if (attributes.type !== 'stop' || begin === undefined) continue
      begin.slurs.begin++
      chord.slurs.end++
      open.delete(number)
    }
    for (const { attributes } of slurs) {
      if (attributes.type === 'start') open.set(attributes.number ?? '1', chord)
    }
  }
}

/** The children of all `notations` of a note. */
export const signsOf = (note: Element): Element[] =>
  note.children.flatMap(({ name, children }) => (name === 'notations' ? children : []))
