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
 * The sounding notes, sorted by onset and key: one for each chain of ties, and one for each other note
 * (MusicXML 4.0, elements `tie` and `grace`, attribute `time-only`). Ornaments, tremolos and glissandos stay
 * the written note, so that a listener who follows the score finds the notes of the page.
 *
 * The end of a tie without a start is a separate note, and a start without an end is an ordinary note. A note
 * that rings on ("let-ring") does so until the end of its measure.
 */
export function soundingNotesOf(measures: readonly PlayedNotes[]): SoundingNote[] {
  const heldNotes: HeldNote[] = []
  const ties = openTies()
  /** By voice: the duration from which a grace note may take time. */
  const lastChords = new Map<string, HeldNote[]>()
  for (const [place, { notes, startTick, endTick, occurrence }] of measures.entries()) {
    for (const note of notes) {
      if (!isPlayedAt(note.timeOnly, occurrence)) continue
      if (note.cutsPrevious !== undefined) shorten(lastChords.get(note.voice), startTick + note.cutsPrevious)
      const at = startTick + note.at
      const releaseOf = {
        writtenEnd: at + note.duration,
        end: note.letRing ? Math.max(startTick + note.end, endTick) : startTick + note.end,
        cut: Math.round((note.end - note.start) * (1 - note.gate)),
      }
      let held = note.tieStop ? ties.take(note, at, place) : undefined
      if (held === undefined) {
        held = { note, start: Math.max(0, startTick + note.start), ...releaseOf }
        heldNotes.push(held)
      } else Object.assign(held, releaseOf)
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
