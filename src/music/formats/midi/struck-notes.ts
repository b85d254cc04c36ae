import type { SoundingNote } from '../../timeline/played.ts'

/** A note as a channel plays it. */
export interface StruckNote {
  /** The port times 16, plus the channel. */
  readonly channel: number
  readonly note: SoundingNote
  readonly startTick: number
  endTick: number
}

/** Notes on one key of one channel that begin at the same time. */
interface Stroke {
  readonly startTick: number
  endTick: number
  readonly notes: StruckNote[]
}

/**
 * Shortens overlapping notes of one key (two voices in unison, a note repeated under a held one). A key of a
 * channel can only be down once: the first note-off silences all of its notes. So the earlier note ends where
 * the later one begins, and the later one lasts as long as either. Notes that begin together end together. No
 * note is lost.
 */
export function separateUnisons(notes: readonly StruckNote[]): void {
  const strokes: Stroke[] = []
  const last = new Map<number, Stroke>()
  for (const struck of notes.toSorted((a, b) => a.startTick - b.startTick)) {
    const { startTick, endTick } = struck
    const key = struck.channel * 128 + struck.note.key
    const before = last.get(key)
    if (before?.startTick === startTick) {
      before.endTick = Math.max(before.endTick, endTick)
      before.notes.push(struck)
      continue
    }
    const stroke = { startTick, endTick: Math.max(endTick, before?.endTick ?? 0), notes: [struck] }
    if (before !== undefined) before.endTick = Math.min(before.endTick, startTick)
    last.set(key, stroke)
    strokes.push(stroke)
  }
  for (const stroke of strokes) for (const struck of stroke.notes) struck.endTick = stroke.endTick
}
