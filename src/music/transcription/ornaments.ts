import { QUARTER } from './measures.ts'
import type { StaffNote } from './staff-note.ts'

/** Seconds and units between a grace note and its main note. A 32nd note is not one. */
const GRACE_SECONDS = 0.09
const GRACE_UNITS = 0.9 * (QUARTER / 8)
/** A grace note is that much shorter than the notes before and after it. */
const GRACE_CONTRAST = 3
const WIDEST_GRACE = 12

const TRILL_SECONDS = 0.085
const TRILL_UNITS = QUARTER / 6
const FEWEST_TRILL_NOTES = 8

/**
 * Makes grace notes of notes that are struck shortly before another one and let go for it, and trills of at least eight very
 * fast notes that alternate between two neighbouring keys. Everything else stays as it was played.
 * @param notes of one staff, by time
 * @param secondsAt the time of a place in units
 */
export function withOrnaments(notes: readonly StaffNote[], secondsAt: (at: number) => number): StaffNote[] {
  return withGraceNotes(withTrills(notes, secondsAt), secondsAt)
}

function withGraceNotes(notes: readonly StaffNote[], secondsAt: (at: number) => number): StaffNote[] {
  const result: StaffNote[] = []
  for (const [index, note] of notes.entries()) {
    const before = notes[index - 1]
    const grace = before && isGrace(notes, index - 1, secondsAt) ? before : undefined
    if (grace !== undefined && result.at(-1) === grace) result.pop()
    if (grace === undefined) result.push(note)
    else {
      const { key, velocity } = grace
      result.push({ ...note, grace: { key, velocity, distance: note.at - grace.at } })
    }
  }
  return result
}

function isGrace(notes: readonly StaffNote[], index: number, secondsAt: (at: number) => number): boolean {
  const [earlier, note, main] = [notes[index - 1], notes[index], notes[index + 1]]
  if (note === undefined || main === undefined || note.lyric || note.trillKey !== undefined) return false
  const distance = main.at - note.at
  if (distance <= 0 || distance > GRACE_UNITS) return false
  if (secondsAt(main.at) - secondsAt(note.at) > GRACE_SECONDS) return false
  const interval = Math.abs(main.key - note.key)
  if (interval === 0 || interval > WIDEST_GRACE) return false
  if (note.end > main.at + distance / 2 || main.end - main.at < GRACE_CONTRAST * distance) return false
  if (earlier !== undefined && note.at - earlier.at < GRACE_CONTRAST * distance) return false
  const next = notes[index + 2]
  return next === undefined || next.at === main.at || next.at - main.at >= GRACE_CONTRAST * distance
}

function withTrills(notes: readonly StaffNote[], secondsAt: (at: number) => number): StaffNote[] {
  const result: StaffNote[] = []
  for (let index = 0; index < notes.length; ) {
    const length = trillLength(notes, index, secondsAt)
    const first = notes[index] as StaffNote
    if (length < FEWEST_TRILL_NOTES) {
      result.push(first)
      index += 1
      continue
    }
    const [one, other] = [first.key, (notes[index + 1] as StaffNote).key]
    const last = notes[index + length - 1] as StaffNote
    result.push({
      ...first,
      key: Math.min(one, other),
      end: last.end,
      trillKey: Math.max(one, other),
      isTrillFromAbove: one > other,
    })
    index += length
  }
  return result
}

/** The number of notes from there on that alternate like a trill. */
function trillLength(notes: readonly StaffNote[], index: number, secondsAt: (at: number) => number): number {
  const [first, second] = [notes[index], notes[index + 1]]
  if (first === undefined || second === undefined) return 1
  const interval = Math.abs(first.key - second.key)
  if (interval < 1 || interval > 2) return 1
  let length = 1
  for (;;) {
    const [last, next] = [notes[index + length - 1], notes[index + length]]
    if (last === undefined || next === undefined || next.lyric) return length
    if (next.key !== (length % 2 === 0 ? first : second).key) return length
    const distance = next.at - last.at
    if (distance <= 0 || distance > TRILL_UNITS) return length
    if (secondsAt(next.at) - secondsAt(last.at) > TRILL_SECONDS) return length
    length += 1
  }
}
