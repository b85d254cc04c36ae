import { child, childText, type Element, measuresOf } from '../model/document.ts'
import { spreadArpeggios } from './arpeggios.ts'
import { stretchOf } from './articulations.ts'
import { type GraceRun, placeGraceRun } from './grace-notes.ts'
import { MAX_PLAYED_EVENTS, tooMuch } from './limits.ts'
import { type MeasureRepeats, measureRepeatsAfter, repeatedNotes } from './measure-repeats.ts'
import { isTrill } from './ornament-signs.ts'
import { type NoteElement, readNoteElement, writtenNotesOf } from './note.ts'
import type { PartSounds } from './part-sounds.ts'
import { type Transpositions, transpositionsAfter } from './pitch.ts'
import { noScordatura, type Scordatura, scordaturaAfter } from './scordatura.ts'
import { joinUnfinishedTies } from './unfinished-ties.ts'
import {
  type Fermata,
  numberOf,
  type WrittenMark,
  type WrittenMeasure,
  type WrittenNote,
  type WrittenPart,
} from './written.ts'

/** The score around a part. */
export interface PartContext {
  readonly sounds: PartSounds
  readonly ticksPerQuarter: number
  readonly isConcertScore: boolean
  /** Whether ornaments are played. */
  readonly ornaments?: boolean | undefined
}

/** The state that continues from measure to measure. */
interface PartState extends PartContext {
  ticksPerDivision: number
  transpositions: Transpositions
  repeats: MeasureRepeats
  scordatura: Scordatura
  /**
   * The duration of the last note of each voice. A rest counts as 0, because a grace note cannot take time
   * from it.
   */
  readonly lastDurations: Map<string, number>
  /** The voices whose last note is trilled. */
  readonly trilled: Set<string>
}

/**
 * Reads a part measure by measure (MusicXML 4.0, "MIDI-compatible part" of the tutorial): a note moves on by its
 * duration unless it is in a chord, `backup` and `forward` move alone. A backup never leads before its measure.
 */
export function readPart(part: Element, context: PartContext): WrittenPart {
  const state: PartState = {
    ...context,
    ticksPerDivision: context.ticksPerQuarter,
    transpositions: new Map(),
    repeats: new Map(),
    scordatura: noScordatura,
    lastDurations: new Map(),
    trilled: new Set(),
  }
  const measures: WrittenMeasure[] = []
  let repeatedSoFar = 0
  for (const element of measuresOf(part)) {
    const measure = readMeasure(element, state)
    const repeated = repeatedNotes(state.repeats, measure, measures)
    repeatedSoFar += repeated.length
    if (repeatedSoFar > MAX_PLAYED_EVENTS) {
      tooMuch(`has more than ${MAX_PLAYED_EVENTS} notes and marks`, element.attributes.number ?? '')
    }
    measures.push(
      repeated.length === 0 ? measure : { ...measure, notes: byPosition([...measure.notes, ...repeated]) },
    )
  }
  joinUnfinishedTies(measures)
  return { measures }
}

/** The state within one measure. */
interface MeasureWalk {
  /** Ticks from the start of the measure, not rounded. */
  position: number
  /** The onset of the last note that is not in a chord. */
  lastOnset: number
  length: number
  /** The notes of the chord that is open. */
  chord: WrittenNote[]
  readonly notes: WrittenNote[]
  readonly marks: WrittenMark[]
  readonly fermatas: Fermata[]
  /** By voice: grace notes that wait for their principal. */
  readonly waiting: Map<string, GraceRun>
  readonly runs: GraceRun[]
}

function readMeasure(measure: Element, state: PartState): WrittenMeasure {
  const walk: MeasureWalk = {
    position: 0,
    lastOnset: 0,
    length: 0,
    chord: [],
    notes: [],
    marks: [],
    fermatas: [],
    waiting: new Map(),
    runs: [],
  }
  for (const element of measure.children) {
    switch (element.name) {
      case 'note':
        walkNote(element, walk, state)
        break
      case 'backup':
        walk.position = Math.max(0, walk.position - durationOf(element, state))
        break
      case 'forward':
        moveOn(walk, durationOf(element, state))
        break
      case 'attributes':
        applyAttributes(element, state)
        mark(element, walk, state)
        break
      case 'direction':
        applyScordatura(element, state)
        mark(element, walk, state)
        break
      case 'harmony':
      case 'sound':
      case 'barline':
        mark(element, walk, state)
        break
    }
  }
  return finishMeasure(walk, state)
}

function walkNote(element: Element, walk: MeasureWalk, state: PartState): void {
  const note = readNoteElement(element, state)
  if (!note.inChord) walk.lastOnset = walk.position
  const onset = walk.lastOnset
  const notes = writtenNotesOf(note, onset, state)
  walk.notes.push(...notes)
  if (note.stretch > 1 && note.duration > 0) {
    walk.fermatas.push({ at: Math.round(onset), duration: Math.round(note.duration), stretch: note.stretch })
  }
  if (note.grace !== undefined) {
    addGraceNotes(note, notes, walk, state)
    return
  }
  if (note.inChord) {
    walk.chord.push(...notes)
    return
  }
  walk.chord = [...notes]
  const run = walk.waiting.get(note.voice)
  if (run !== undefined) {
    walk.waiting.delete(note.voice)
    walk.runs.push(notes.length > 0 ? { ...run, principal: walk.chord } : run)
  }
  state.lastDurations.set(note.voice, notes.length > 0 ? note.duration : 0)
  noteTrill(note, notes[0], state)
  moveOn(walk, note.duration)
}

/** Remembers whether the last note of a voice is trilled, so that grace notes after it end the trill. */
function noteTrill({ voice }: NoteElement, written: WrittenNote | undefined, state: PartState): void {
  const isTrilled = state.ornaments !== false && written?.signs?.some(isTrill) === true
  if (isTrilled) state.trilled.add(voice)
  else state.trilled.delete(voice)
}

function addGraceNotes(note: NoteElement, notes: WrittenNote[], walk: MeasureWalk, state: PartState): void {
  if (notes.length === 0) return
  const run = walk.waiting.get(note.voice)
  const chord = run?.chords.at(-1)
  if (run === undefined) {
    const previousDuration = state.lastDurations.get(note.voice)
    const at = Math.round(walk.position)
    const endsTrill = state.trilled.has(note.voice)
    walk.waiting.set(note.voice, { at, chords: [notes], principal: undefined, previousDuration, endsTrill })
  } else if (note.inChord && chord !== undefined) chord.push(...notes)
  else run.chords.push(notes)
}

function moveOn(walk: MeasureWalk, ticks: number): void {
  walk.position += ticks
  walk.length = Math.max(walk.length, walk.position)
}

function mark(element: Element, walk: MeasureWalk, state: PartState): void {
  walk.marks.push({ at: Math.round(walk.position), element, ticksPerDivision: state.ticksPerDivision })
}

function applyAttributes(attributes: Element, state: PartState): void {
  const divisions = numberOf(childText(attributes, 'divisions'))
  const ticksPerDivision = state.ticksPerQuarter / (divisions ?? 0)
  if (ticksPerDivision > 0 && Number.isFinite(ticksPerDivision)) state.ticksPerDivision = ticksPerDivision
  state.transpositions = transpositionsAfter(attributes, state.transpositions, state.isConcertScore)
  state.repeats = measureRepeatsAfter(attributes, state.repeats)
}

function applyScordatura(direction: Element, state: PartState): void {
  const { sound } = state.sounds.instrument(undefined)
  state.scordatura = scordaturaAfter(direction, sound, state.scordatura)
}

function durationOf(element: Element, state: PartState): number {
  return (numberOf(childText(element, 'duration')) ?? 0) * state.ticksPerDivision
}

function finishMeasure(walk: MeasureWalk, state: PartState): WrittenMeasure {
  const length = Math.round(walk.length)
  for (const run of [...walk.runs, ...walk.waiting.values()]) placeGraceRun(run, state.ticksPerQuarter)
  spreadArpeggios(walk.notes, state.ticksPerQuarter)
  return {
    length,
    notes: byPosition(walk.notes),
    marks: walk.marks,
    fermatas: [...walk.fermatas, ...barlineFermatas(walk.marks, length, state.ticksPerQuarter)],
  }
}

/** A fermata on a barline is a silence of no written length; the last quarter note before it takes its time. */
function barlineFermatas(marks: readonly WrittenMark[], length: number, ticksPerQuarter: number): Fermata[] {
  const fermatas: Fermata[] = []
  for (const { element, at } of marks) {
    const fermata = element.name === 'barline' ? child(element, 'fermata') : undefined
    if (fermata === undefined || at === 0) continue
    const duration = Math.min(ticksPerQuarter, length)
    fermatas.push({ at: length - duration, duration, stretch: stretchOf(fermata) })
  }
  return fermatas
}

function byPosition(notes: WrittenNote[]): WrittenNote[] {
  return notes.sort((a, b) => a.at - b.at || Number(b.grace !== undefined) - Number(a.grace !== undefined))
}
