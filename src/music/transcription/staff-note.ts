/** A note of one staff as it was played. Times are in units (`QUARTER`), not whole. */
export interface StaffNote {
  readonly at: number
  readonly end: number
  /** MIDI key. */
  readonly key: number
  readonly velocity: number
  /** A grace note before it, and the units between them. */
  readonly grace?: { readonly key: number; readonly velocity: number; readonly distance: number } | undefined
  /** The upper key of a trill on it. */
  readonly trillKey?: number | undefined
  /** The trill begins with its upper key. */
  readonly isTrillFromAbove?: boolean | undefined
  readonly lyric?: Syllable | undefined
}

/** A syllable below a note. */
export interface Syllable {
  readonly text: string
  readonly syllabic: 'single' | 'begin' | 'middle' | 'end'
}

/** A note on the grid. */
export interface PlacedNote extends StaffNote {
  /** Whole units from the beginning. */
  readonly start: number
}

/** Notes of a voice that begin and end together. Times are whole units. */
export interface VoiceChord {
  readonly start: number
  end: number
  readonly notes: PlacedNote[]
  isStaccato: boolean
}
