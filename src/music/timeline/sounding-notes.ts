import type { SoundingNote } from './played.ts'
import { type HeldNote, openTies } from './ties.ts'
import { isPlayedAt, type WrittenNote } from './written.ts'

/** A measure of a part in the order of playing. */
export interface PlayedNotes {
  readonly notes: readonly WrittenNote[]
  readonly startTick: number
  readonly endTick: number
  readonly occurrence: number
}

/**
 * The notes that sound, by start and key: one for each chain of ties, one for each other note (MusicXML 4.0, elements
 * `tie` and `grace`, attribute `time-only`). Ornaments, tremolos and glissandos stay the note that is written: how they
 * are played is the player's, and a listener who counts or follows the notes finds those of the page.
 *
 * An end of a tie without a beginning sounds as a note of its own, a beginning without an end just ends. What is to
 * ring on ("let-ring") does so to the end of its measure.
 */
export function soundingNotesOf(measures: readonly PlayedNotes[]): SoundingNote[] {
  const heldNotes: HeldNote[] = []
  const ties = openTies()
  /** By voice: what a grace note may take its time from. */
  const lastChords = new Map<string, HeldNote[]>()
  for (const [place, { notes, startTick, endTick, occurrence }] of measures.entries()) {
    for (const note of notes) {
      if (!isPlayedAt(note.timeOnly, occurrence)) continue
      if (note.cutsPrevious !== undefined) shorten(lastChords.get(note.voice), startTick + note.cutsPrevious)
      const at = startTick + note.at
      const lettingGo = {
        writtenEnd: at + note.duration,
        end: note.letRing ? Math.max(startTick + note.end, endTick) : startTick + note.end,
        cut: Math.round((note.end - note.start) * (1 - note.gate)),
      }
      let held = note.tieStop ? ties.take(note, at, place) : undefined
      if (held === undefined) {
        held = { note, start: Math.max(0, startTick + note.start), ...lettingGo }
        heldNotes.push(held)
      } else Object.assign(held, lettingGo)
      if (note.tieStart) ties.add(held, note, place)
      if (note.inChord) lastChords.get(note.voice)?.push(held)
      else lastChords.set(note.voice, [held])
    }
  }
  return heldNotes.map(soundingNoteOf).sort((a, b) => a.startTick - b.startTick || a.key - b.key)
}

function shorten(chord: readonly HeldNote[] | undefined, tick: number): void {
  for (const held of chord ?? []) if (held.start < tick && held.end > tick) held.end = tick
}

function soundingNoteOf({ note, start, end, cut }: HeldNote): SoundingNote {
  return {
    startTick: start,
    endTick: Math.max(start + 1, end - cut),
    key: note.key,
    bend: note.bend,
    velocity: note.velocity,
    releaseVelocity: note.releaseVelocity,
    percussion: note.percussion,
    voice: note.voice,
    staff: note.staff,
  }
}
