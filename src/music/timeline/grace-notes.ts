import { child } from '../model/document.ts'
import type { GraceNote, WrittenNote } from './written.ts'

/** Consecutive grace notes of a voice, and their principal note. */
export interface GraceRun {
  readonly at: number
  /** One entry for each note or chord. */
  readonly chords: WrittenNote[][]
  /** The chord that they lead to; none before a rest or at the end of a measure. */
  readonly principal: WrittenNote[] | undefined
  /** The duration of the note before them in ticks, 0 after a rest, undefined at the start of the part. */
  readonly previousDuration: number | undefined
  /** The note before them is trilled. */
  readonly endsTrill: boolean
}

/** The maximum share that a grace note may take if the score gives the amount. */
const LARGEST_STEAL = 0.9
/** C. P. E. Bach, Versuch II.2: an appoggiatura takes half of a plain note, and two thirds of a dotted one. */
const SHARE_OF_PLAIN = 1 / 2
const SHARE_OF_DOTTED = 2 / 3

/**
 * Sets the onsets and durations of a run of grace notes (MusicXML 4.0, element `grace`).
 *
 * `steal-time-previous` and `make-time` put a note before the beat and shorten the note before it.
 * `steal-time-following` puts it on the beat and delays the principal note. By default, a single note without
 * a slash is an appoggiatura and lasts its own note value, and all others last a 32nd each, on the beat,
 * together at most half of the principal note. An appoggiatura may take two thirds of a dotted note. Without a principal note (before a rest, at the end of a
 * measure) they end the note before them, and so do two or more after a trill, which are its termination. A
 * principal note that is tied from before is not struck again.
 */
export function placeGraceRun(run: GraceRun, ticksPerQuarter: number): void {
  const principal = run.principal
  const isBefore = (grace: GraceNote | undefined) => {
    if (principal === undefined) return true
    // Nothing can sound before the start of the score.
    if (run.previousDuration === undefined) return false
    if (run.endsTrill && run.chords.length > 1 && grace?.stealFollowing === undefined) return true
    return grace?.stealPrevious !== undefined || grace?.makeTime !== undefined
  }
  const before = run.chords.filter((chord) => isBefore(chord[0]?.grace))
  const onBeat = run.chords.filter((chord) => !isBefore(chord[0]?.grace))
  if (before.length > 0) placeBefore(before, run, ticksPerQuarter)
  if (onBeat.length > 0 && principal !== undefined) placeOnBeat(onBeat, run.at, principal, ticksPerQuarter)
}

function placeBefore(chords: WrittenNote[][], run: GraceRun, ticksPerQuarter: number): void {
  const previous = run.previousDuration || ticksPerQuarter
  const short = Math.min(ticksPerQuarter / 8, previous / (2 * chords.length))
  const lengths = chords.map((chord) => {
    const grace = chord[0]?.grace
    if (grace?.stealPrevious !== undefined) return (previous * grace.stealPrevious) / 100
    return grace?.makeTime ?? short
  })
  const shares = scaleToLimit(lengths, previous * LARGEST_STEAL)
  const total = shares.reduce((sum, share) => sum + share, 0)
  place(chords, shares, run.at - total)
  const first = chords[0]?.[0]
  if (first !== undefined) first.cutsPrevious = first.start
}

function placeOnBeat(
  chords: WrittenNote[][],
  at: number,
  principal: WrittenNote[],
  ticksPerQuarter: number,
): void {
  const available = principal.reduce(
    (least, note) => Math.min(least, note.duration),
    Number.POSITIVE_INFINITY,
  )
  const only = chords.length === 1 ? chords[0]?.[0]?.grace : undefined
  const isAppoggiatura = only !== undefined && !only.slash
  let isStated = false
  const lengths = chords.map((chord) => {
    const grace = chord[0]?.grace
    if (grace?.stealFollowing !== undefined) {
      isStated = true
      return (available * grace.stealFollowing) / 100
    }
    return isAppoggiatura && grace !== undefined ? grace.typeTicks : ticksPerQuarter / 8
  })
  const isDotted = principal.every(({ element }) => child(element, 'dot') !== undefined)
  const share = isAppoggiatura && isDotted ? SHARE_OF_DOTTED : SHARE_OF_PLAIN
  const shares = scaleToLimit(lengths, available * (isStated ? LARGEST_STEAL : share))
  const end = place(chords, shares, at)
  for (const note of principal) if (!note.tieStop) note.start = Math.max(note.start, end)
}

function scaleToLimit(lengths: number[], limit: number): number[] {
  const total = lengths.reduce((sum, length) => sum + length, 0)
  return total > limit ? lengths.map((length) => (length * limit) / total) : lengths
}

/** Places the chords one after another. Returns the end of the last one. */
function place(chords: WrittenNote[][], lengths: number[], from: number): number {
  let at = from
  for (const [index, chord] of chords.entries()) {
    const end = at + (lengths[index] ?? 0)
    for (const note of chord) {
      note.start = Math.round(at)
      note.end = Math.round(end)
    }
    at = end
  }
  return Math.round(at)
}
