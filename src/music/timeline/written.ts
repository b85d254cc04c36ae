import type { Element } from '../model/document.ts'
import type { Ornament } from './ornament.ts'

/** One part as written, every measure once. Ticks count from the start of the measure. */
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

/** A `direction`, `sound`, `harmony`, `barline` or `attributes` element and its position. */
export interface WrittenMark {
  readonly at: number
  readonly element: Element
  /** To read an `offset`. */
  readonly ticksPerDivision: number
}

export interface Fermata {
  readonly at: number
  readonly duration: number
  /** The factor by which the time under it is stretched. */
  readonly stretch: number
}

export interface WrittenNote {
  /** The written position. A grace note has the position of its run. */
  readonly at: number
  /** 0 for a grace note. */
  readonly duration: number
  /** The onset: later than `at` after grace notes or in an arpeggio. */
  start: number
  /** The release without articulation. */
  end: number
  /** How much swing moves the onset. */
  swingDelay: number
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
  /** Set on a note whose tie only has a start. */
  tieStop: boolean
  readonly letRing: boolean
  /** The increase of the velocity by accents. */
  readonly accent: number
  /** The velocity of the note itself (`dynamics`), which has priority over all marks. */
  readonly ownVelocity: number | undefined
  velocity: number
  readonly releaseVelocity: number | undefined
  /** The id of its score-instrument. */
  readonly instrument: string
  /** The times through a repeat at which it is played; always when absent. */
  readonly timeOnly: readonly number[] | undefined
  readonly lyrics: readonly WrittenLyric[]
  readonly arpeggio: Arpeggio | undefined
  /** The `note` element. */
  readonly element: Element
  /** The element stands at this place. It does not if a measure-repeat sign or a chord symbol plays the note. */
  readonly isWrittenHere: boolean
  /** Its `ornaments`, `glissando` and `slide` elements, if it has any. */
  readonly signs: readonly Element[] | undefined
  /** Undefined if it is played as written. */
  ornament: Ornament | undefined
  readonly grace: GraceNote | undefined
  /** The end of the chord before it in its voice, if grace notes take time from that chord. */
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
  /** Distinguishes arpeggios at the same position. */
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

/** Whether an element with this `time-only` is played that time. */
export function isPlayedAt(timeOnly: readonly number[] | undefined, occurrence: number): boolean {
  return timeOnly === undefined || timeOnly.includes(occurrence)
}

/** A number of the score; undefined when it is none. */
export function numberOf(text: string | undefined): number | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const value = Number(text)
  return Number.isFinite(value) ? value : undefined
}
