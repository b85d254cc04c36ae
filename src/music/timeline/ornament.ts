/** How an ornament divides its note. Intervals are semitones from the note, upwards if positive. */
export type Ornament = Trill | Figure | Tremolo | Glissando | Slide

export interface Trill {
  readonly kind: 'trill'
  /** The interval to the upper note, and to the lower one. */
  readonly upper: number
  readonly lower: number
  readonly start: StartNote
  /** The interval of the two-note turn at the end, if the score has one. */
  readonly turn: number | undefined
  /** How many notes it has, if the score says so. */
  readonly beats: number | undefined
  readonly accelerates: boolean
}

export type StartNote = 'upper' | 'main' | 'below'

/** A few notes at the start or at the end of the note: a turn, a mordent, a slide from below. */
export interface Figure {
  readonly kind: 'figure'
  /** The intervals in the order of playing. The last one is held at the start of the note, not at its end. */
  readonly steps: readonly number[]
  readonly isDelayed: boolean
  /** Where the second and the last of its notes begin, in percent of the note, if the score says so. */
  readonly secondAt: number | undefined
  readonly lastAt: number | undefined
}

export interface Tremolo {
  readonly kind: 'tremolo'
  /** Ticks from stroke to stroke; undefined if unmeasured. */
  readonly stroke: number | undefined
  /** The place in the alternation of two notes or chords; undefined if there is only one. */
  readonly turn: 'first' | 'second' | undefined
}

export interface Glissando {
  readonly kind: 'glissando'
  /** The intervals of the notes that are played, beginning with 0, without the note that it leads to. */
  readonly steps: readonly number[]
}

/** A pitch that moves without steps. */
export interface Slide {
  readonly kind: 'slide'
  /** To the pitch that it leads to; may be a fraction. */
  readonly semitones: number
  /** Where the pitch begins to move and where it arrives, in percent of the note. */
  readonly firstAt: number
  readonly lastAt: number
}
