import type { SoundingNote } from './played.ts'
import type { Slide } from './ornament.ts'
import { keyInRange } from './pitch.ts'
import { playSlides } from './slides.ts'
import { strikesOf } from './strikes.ts'
import { type HeldNote, openTies } from './ties.ts'
import { isPlayedAt, type WrittenNote } from './written.ts'

/** A measure of a part in the order of playing. */
export interface PlayedNotes {
  readonly notes: readonly WrittenNote[]
  readonly startTick: number
  readonly endTick: number
  readonly occurrence: number
}

/** The speed of the playback, and the room for the notes of ornaments. */
export interface Tempo {
  /** The ticks of a second at a tick of the playback. */
  ticksPerSecondAt(tick: number): number
  /** How many more notes ornaments may add. An ornament with more is its written note. */
  notesLeft: number
}

/**
 * The sounding notes, sorted by onset and key: one for each chain of ties, and one for each other note
 * (MusicXML 4.0, elements `tie` and `grace`, attribute `time-only`). A note with an ornament becomes the notes
 * that the ornament strikes, through the whole chain of ties.
 *
 * The end of a tie without a start is a separate note, and a start without an end is an ordinary note. A note
 * that rings on ("let-ring") does so until the end of its measure.
 */
export function soundingNotesOf(measures: readonly PlayedNotes[], tempo: Tempo): SoundingNote[] {
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
        const start = Math.max(0, startTick + note.start)
        held = { note, elements: [], start, ornament: note.ornament, ornamentStart: start, ...releaseOf }
        heldNotes.push(held)
      } else {
        Object.assign(held, releaseOf)
        if (held.ornament === undefined && note.ornament !== undefined) {
          held.ornament = note.ornament
          held.ornamentStart = startTick + note.start
        }
      }
      if (note.isWrittenHere) held.elements.push(note.element)
      if (note.tieStart) ties.add(held, note, place)
      if (note.inChord) lastChords.get(note.voice)?.push(held)
      else lastChords.set(note.voice, [held])
    }
  }
  const sounding: SoundingNote[] = []
  for (const held of heldNotes) {
    const whole = soundingNoteOf(held)
    const struck = held.ornament && struckNotes(whole, held, tempo)
    if (struck === undefined) sounding.push(whole)
    else for (const note of struck) sounding.push(note)
  }
  return inOrder(playSlides(inOrder(sounding)))
}

const inOrder = (notes: SoundingNote[]) => notes.sort((a, b) => a.startTick - b.startTick || a.key - b.key)

function slidingNote(note: SoundingNote, { semitones, firstAt, lastAt }: Slide): SoundingNote {
  const length = note.endTick - note.startTick
  const startTick = note.startTick + Math.round((length * firstAt) / 100)
  const endTick = note.startTick + Math.round((length * lastAt) / 100)
  return endTick > startTick ? { ...note, slide: { startTick, endTick, semitones } } : note
}

/** The notes of an ornament, after the part of the note before it. Undefined if it cannot be played. */
function struckNotes(
  whole: SoundingNote,
  { ornament, ornamentStart }: HeldNote,
  tempo: Tempo,
): SoundingNote[] | undefined {
  const start = Math.max(whole.startTick, ornamentStart)
  const ticksPerSecond = tempo.ticksPerSecondAt(start)
  if (ornament?.kind === 'slide') return [slidingNote(whole, ornament)]
  const strikes = ornament && strikesOf(ornament, { start, end: whole.endTick, ticksPerSecond })
  if (strikes === undefined || strikes.length > tempo.notesLeft) return undefined
  tempo.notesLeft -= strikes.length
  const struck = strikes.map((strike) => ({
    ...whole,
    startTick: strike.start,
    endTick: strike.end,
    key: keyInRange(whole.key + strike.interval),
  }))
  return start > whole.startTick ? [{ ...whole, endTick: start }, ...struck] : struck
}

function shorten(chord: readonly HeldNote[] | undefined, tick: number): void {
  for (const held of chord ?? []) if (held.start < tick && held.end > tick) held.end = tick
}

function soundingNoteOf({ note, elements, start, end, cut }: HeldNote): SoundingNote {
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
    elements,
  }
}
