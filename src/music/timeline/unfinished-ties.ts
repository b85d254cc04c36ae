import type { WrittenMeasure, WrittenNote } from './written.ts'

/**
 * Completes ties that start and do not stop, as some programs write them (MusicXML 4.0, element `tie`, needs both
 * ends): the note of the same pitch and voice that begins where such a tie's note ends, in the same or the next
 * measure, is its end. A tie that another note of the part stops there is complete. Grace notes are left alone.
 */
export function joinUnfinishedTies(measures: readonly WrittenMeasure[]): void {
  for (const [index, { notes, length }] of measures.entries()) {
    for (const note of notes) {
      if (!note.tieStart || note.grace !== undefined) continue
      const end = note.at + note.duration
      const isLast = end >= length
      const next = isLast ? (measures[index + 1]?.notes ?? []) : notes
      const other = continuationOf(note, next, isLast ? 0 : end)
      if (other !== undefined) other.tieStop = true
    }
  }
}

/** More notes at one place are no music. */
const MOST_AT_ONE_PLACE = 256

/** The index of the first note at or after a position. `notes` are by position. */
function firstAt(notes: readonly WrittenNote[], at: number): number {
  let low = 0
  let high = notes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((notes[middle]?.at ?? 0) < at) low = middle + 1
    else high = middle
  }
  return low
}

/** The note that continues a tie at that place of its measure; undefined if a tie stops there already. */
function continuationOf(
  note: WrittenNote,
  notes: readonly WrittenNote[],
  at: number,
): WrittenNote | undefined {
  let found: WrittenNote | undefined
  const [first, end] = [firstAt(notes, at), notes.length]
  for (let index = first; index < Math.min(end, first + MOST_AT_ONE_PLACE); index++) {
    const other = notes[index]
    if (other === undefined || other.at > at) break
    if (other.grace !== undefined || other.duration === 0) continue
    if (other.key !== note.key || other.bend !== note.bend || other.percussion !== note.percussion) continue
    if (other.tieStop) return undefined
    if (other.voice === note.voice) found ??= other
  }
  return found
}
