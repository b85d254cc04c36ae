/** A place in a voice of a score. */
export interface Position {
  /** The uuid of the part. */
  readonly part: string
  /** The uuid of the measure. */
  readonly measure: string
  /** From 1. */
  readonly staff: number
  /** From 1 to 4, in this staff. Files number their voices in other ways. */
  readonly voice: number
  /** Ticks from the start of the measure (`TICKS_PER_QUARTER`). */
  readonly onset: number
}

/** A voice in a measure. */
export type VoicePlace = Omit<Position, 'onset'>

const noteId = /^(.{36})-(.{36})-(\d+)$/

/** Reads an id that `noteIdOf` has made. */
export function parsedNoteId(id: string): { measure: string; part: string; index: number } | undefined {
  const [, measure, part, index] = noteId.exec(id) ?? []
  return measure !== undefined && part !== undefined ? { measure, part, index: Number(index) } : undefined
}
