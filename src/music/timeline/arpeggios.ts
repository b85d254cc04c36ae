import type { WrittenNote } from './written.ts'

/** How much of a chord its arpeggio may take. */
const LARGEST_SPREAD = 0.5

/**
 * Spreads the chords that have an arpeggio (MusicXML 4.0, element `arpeggiate`): one note after another on
 * the beat, a 64th apart, from the bottom unless its direction is down. Notes at one place with the same
 * `number` are one arpeggio, also across staves. A pitch that two voices share is struck once, and notes in the
 * bracket of a `non-arpeggiate` are struck on the beat. Only the onsets move; the notes are held.
 */
export function spreadArpeggios(notes: readonly WrittenNote[], ticksPerQuarter: number): void {
  const chords = new Map<string, WrittenNote[]>()
  for (const note of notes) {
    if (note.arpeggio === undefined || note.grace !== undefined) continue
    const name = `${note.at}/${note.arpeggio.number}`
    const chord = chords.get(name)
    if (chord === undefined) chords.set(name, [note])
    else chord.push(note)
  }
  for (const chord of chords.values()) {
    const downwards = chord.some((note) => note.arpeggio?.downwards)
    chord.sort((a, b) => (downwards ? b.key - a.key : a.key - b.key))
    const room = chord.reduce(
      (least, note) => Math.min(least, note.end - note.start),
      Number.POSITIVE_INFINITY,
    )
    const keys = [...new Set(chord.map(({ key }) => key))]
    const step = Math.min(ticksPerQuarter / 16, (room * LARGEST_SPREAD) / keys.length)
    for (const note of chord) note.start += Math.round(keys.indexOf(note.key) * step)
  }
}
