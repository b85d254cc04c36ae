/** Music to engrave. */
export interface EngravingTask {
  readonly id: number
  /** MusicXML with ids of measures, notes and rests. */
  readonly xml: string
  /** The width of a line of music, in units of which a staff is 72 high. */
  readonly width: number
  /** Whether the last line is as long as the others. */
  readonly isFull: boolean
}

/** What the engraver answers. */
export type EngravingAnswer =
  | { readonly kind: 'ready' }
  /** @property lines one SVG for each line of music */
  | { readonly kind: 'done'; readonly id: number; readonly lines: readonly string[] }
  | { readonly kind: 'failed'; readonly id: number | undefined }
