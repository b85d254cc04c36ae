import type { Element } from '../document.ts'

/** One part as it is written, every measure once. Ticks count from the start of the measure. */
export interface WrittenPart {
  readonly measures: readonly WrittenMeasure[]
}

export interface WrittenMeasure {
  /** How far the notes, rests and forwards reach, in ticks; 0 in an empty measure. */
  readonly length: number
  /** By position, grace notes before the note that they lead to. */
  readonly notes: readonly WrittenNote[]
  /** In document order. */
  readonly marks: readonly WrittenMark[]
  readonly fermatas: readonly Fermata[]
}

/** A `direction`, `sound`, `barline` or `attributes` element and where it stands. */
export interface WrittenMark {
  readonly at: number
  readonly element: Element
  /** To read an `offset`. */
  readonly ticksPerDivision: number
}

export interface Fermata {
  readonly at: number
  readonly duration: number
  /** How many times longer what is under it takes. */
  readonly stretch: number
}

export interface WrittenNote {
  /** Where the notation puts it; a grace note stands where its run does. */
  readonly at: number
  /** 0 for a grace note. */
  readonly duration: number
  /** Where it is struck: later than `at` after grace notes or in an arpeggio. */
  start: number
  /** Where it is let go, articulation apart. */
  end: number
  /** How much of its length articulation leaves. */
  readonly gate: number
  readonly key: number
  readonly bend: number
  readonly percussion: boolean
  readonly voice: string
  readonly staff: number
  /** It has the stem of the note before it. */
  readonly inChord: boolean
  readonly tieStart: boolean
  readonly tieStop: boolean
  readonly letRing: boolean
  /** What accents add to the velocity. */
  readonly accent: number
  /** Of the note itself (`dynamics`), which goes before all marks. */
  readonly ownVelocity: number | undefined
  velocity: number
  readonly releaseVelocity: number | undefined
  /** The id of its score-instrument. */
  readonly instrument: string
  /** The times through a repeat at which it is played; always when absent. */
  readonly timeOnly: readonly number[] | undefined
  readonly lyrics: readonly WrittenLyric[]
  readonly arpeggio: Arpeggio | undefined
  readonly grace: GraceNote | undefined
  /** Where the chord before it in its voice has to end, for grace notes that take time from that. */
  cutsPrevious: number | undefined
}

export interface WrittenLyric {
  /** The place of its `number` among those of its note, when that is no number. */
  readonly verse: number
  readonly text: string
  readonly wordEnds: boolean
  readonly timeOnly: readonly number[] | undefined
}

export interface Arpeggio {
  /** Tells arpeggios apart that stand at the same place. */
  readonly number: string
  readonly downwards: boolean
}

export interface GraceNote {
  readonly slash: boolean
  /** The length of its note value, were it not a grace note. */
  readonly typeTicks: number
  /** Percent of the note before it. */
  readonly stealPrevious: number | undefined
  /** Percent of the note that it leads to. */
  readonly stealFollowing: number | undefined
  /** Ticks. */
  readonly makeTime: number | undefined
}

/** The times at which something is played (`time-only`), undefined when at all. */
export function timeOnlyOf(element: Element): readonly number[] | undefined {
  const times = element.attributes['time-only']?.match(/\d+/g)
  return times?.map(Number)
}

/** Whether what has this `time-only` is played at that time through. */
export function isPlayedAt(timeOnly: readonly number[] | undefined, occurrence: number): boolean {
  return timeOnly === undefined || timeOnly.includes(occurrence)
}

/** A number of the score; undefined when it is none. */
export function numberOf(text: string | undefined): number | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const value = Number(text)
  return Number.isFinite(value) ? value : undefined
}
