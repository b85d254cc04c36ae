/** What of the playback can be switched off. */
export interface PlaybackOptions {
  /**
   * Whether ornaments, tremolos, glissandos and slides are played out. Otherwise each one is its written note.
   * Defaults to true.
   */
  readonly ornaments?: boolean | undefined
  /** Whether swing is played. Otherwise the notes stay where they are written. Defaults to true. */
  readonly swing?: boolean | undefined
  /** Whether chord symbols are played. By default they are if the notes have no chords (`comping.ts`). */
  readonly chords?: boolean | undefined
}

/** The playback of the written notes alone: for the duration of a score and the times of its measures. */
export const asWritten: PlaybackOptions = { ornaments: false, swing: false, chords: false }
