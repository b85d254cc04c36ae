/** A written pitch of the server's export `measureContents`. */
export interface WrittenPitch {
  /** `A` to `G`. */
  readonly step: string
  /** Semitones. */
  readonly alter: number
  /** 4 for the octave of middle C. */
  readonly octave: number
}

/** A written length, such as `quarter` with one dot. */
export interface WrittenLength {
  readonly value?: string
  readonly dots?: number
}

/** Something that is written in a measure. docs/formats.md describes each kind. */
export type MeasureItem =
  | (WrittenLength & {
      readonly type: 'notes'
      readonly pitches: readonly WrittenPitch[]
      readonly isGrace?: true
      readonly isHeld?: true
      readonly lyrics?: readonly string[]
    })
  | (WrittenLength & { readonly type: 'rest'; readonly isWholeMeasure?: true })
  | { readonly type: 'tuplet'; readonly notes: number; readonly inTimeOf: number }
  | { readonly type: 'key'; readonly fifths: number; readonly mode?: string }
  | { readonly type: 'time'; readonly meter: string }
  | (WrittenLength & { readonly type: 'tempo'; readonly text?: string; readonly perMinute?: string })
  | { readonly type: 'dynamics'; readonly mark: string }
  | { readonly type: 'wedge'; readonly change: string }
  | { readonly type: 'words' | 'rehearsal' | 'chordSymbol' | 'ending'; readonly text: string }
  | { readonly type: 'segno' | 'coda' | 'repeatStart' | 'repeatEnd' }

interface StaffContents {
  readonly staff: number
  readonly voices: readonly (readonly MeasureItem[])[]
}

/** The server's export `measureContents`. */
export interface ScoreContents {
  readonly parts: readonly { readonly uuid: string; readonly name: string; readonly staves: number }[]
  readonly measures: readonly {
    readonly uuid: string
    readonly number: string
    readonly signs: readonly MeasureItem[]
    readonly parts: readonly (readonly StaffContents[])[]
  }[]
}
