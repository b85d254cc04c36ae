import { printable } from '../../model/printable.ts'
import type { Syllable } from '../../transcription/staff-note.ts'
import type { MidiFile, MidiNote, MidiTrack } from './midi-file.ts'
import type { MidiText } from './midi-text.ts'

/** The notes of a voice, and the track that they come from. */
export interface LyricVoice {
  readonly track: MidiTrack
  readonly notes: readonly MidiNote[]
}

/** Quarter notes between a syllable and its note. */
const NEAR = 0.5
const LONGEST_SYLLABLE = 100
/** Text events that are no lyrics: the headers of karaoke files begin with a sign. */
const header = /^\s*@/
/** Text events at fewer places are comments. */
const FEWEST_TEXTS = 8

/**
 * The syllables of each voice by note. Lyric events belong to the notes of their track; if it has none, as in karaoke files (.kar), to
 * the voice whose notes fall on most of them. There the words are text events.
 */
export function lyricsOf(file: MidiFile, voices: readonly LyricVoice[]): Map<MidiNote, Syllable>[] {
  const result = voices.map(() => new Map<MidiNote, Syllable>())
  for (const track of file.tracks) {
    const texts = track.lyrics.length > 0 ? track.lyrics : isKaraoke(track) ? track.texts : []
    const syllables = syllablesOf(texts.filter(({ text }) => !header.test(text)))
    if (syllables.length === 0) continue
    const own = voices.findIndex((voice) => voice.track === track)
    const place = own >= 0 ? own : singingVoice(syllables, voices, file.ticksPerQuarter)
    const into = result[place]
    if (into !== undefined) attach(syllables, voices[place]?.notes ?? [], into, file.ticksPerQuarter)
  }
  return result
}

function isKaraoke({ notes, texts }: MidiTrack): boolean {
  const places = new Set(texts.filter(({ text }) => !header.test(text)).map(({ tick }) => tick))
  return places.size >= FEWEST_TEXTS && (notes.length === 0 || texts.some(({ text }) => /^[\\/]/.test(text)))
}

interface TimedSyllable {
  readonly tick: number
  readonly syllable: Syllable
}

/**
 * In karaoke files a word begins with a space, or a line with `\` or `/`. Otherwise a word ends with a space or without a hyphen
 * (RP-017).
 */
function syllablesOf(texts: readonly MidiText[]): TimedSyllable[] {
  const begins = texts.filter(({ text }) => /^[\s\\/]/.test(text) && /\S/.test(text)).length
  const ends = texts.filter(({ text }) => /\s$/.test(text) && /\S/.test(text)).length
  const hasHyphens = texts.some(({ text }) => /\S-\s*$/.test(text))
  const pieces: { tick: number; text: string; endsWord: boolean }[] = []
  for (const { tick, text } of texts) {
    const plain = printable(text.replace(/[\\/]/g, ' ')).slice(0, LONGEST_SYLLABLE)
    const last = pieces.at(-1)
    if (last !== undefined && (begins > ends ? /^[\s\\/]/.test(text) : plain === '')) last.endsWord = true
    if (plain === '' || plain === '-') continue
    const isHyphened = plain.endsWith('-')
    const endsWord = begins > ends ? false : hasHyphens ? !isHyphened : ends === 0 || /\s$/.test(text)
    pieces.push({ tick, text: isHyphened ? plain.slice(0, -1) : plain, endsWord })
  }
  const syllables: TimedSyllable[] = []
  let isInside = false
  for (const [index, { tick, text, endsWord }] of pieces.entries()) {
    const isEnd = endsWord || index === pieces.length - 1
    const syllabic = isInside ? (isEnd ? 'end' : 'middle') : isEnd ? 'single' : 'begin'
    syllables.push({ tick, syllable: { text, syllabic } })
    isInside = !isEnd
  }
  return syllables
}

/** The voice with a note at the place of most syllables; of several, the one with the fewest notes. */
function singingVoice(
  syllables: readonly TimedSyllable[],
  voices: readonly LyricVoice[],
  ticksPerQuarter: number,
): number {
  const tolerance = ticksPerQuarter / 8
  const scores = voices.map(({ notes }) => {
    const starts = notes.map(({ start }) => start).sort((a, b) => a - b)
    const hits = syllables.filter(({ tick }) => {
      const near = starts[nearest(starts, tick)]
      return near !== undefined && Math.abs(near - tick) <= tolerance
    }).length
    return hits / syllables.length - 0.3 * Math.min(1, Math.abs(notes.length / syllables.length - 1))
  })
  return scores.indexOf(Math.max(...scores))
}

function attach(
  syllables: readonly TimedSyllable[],
  notes: readonly MidiNote[],
  into: Map<MidiNote, Syllable>,
  ticksPerQuarter: number,
): void {
  // The highest note of a chord sings.
  const sorted = notes.toSorted((a, b) => a.start - b.start || b.key - a.key)
  const starts = sorted.map(({ start }) => start)
  for (const { tick, syllable } of syllables) {
    const place = nearest(starts, tick)
    const note = sorted[starts.indexOf(starts[place] ?? Number.NaN, Math.max(0, place - 16))]
    if (note === undefined || Math.abs(note.start - tick) > NEAR * ticksPerQuarter) continue
    const present = into.get(note)
    into.set(note, present ? { ...syllable, text: `${present.text} ${syllable.text}` } : syllable)
  }
}

/** The place of the value that is nearest, in a sorted list. */
function nearest(values: readonly number[], at: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((values[middle] as number) < at) low = middle + 1
    else high = middle
  }
  const [before, after] = [values[low - 1], values[low]]
  if (before === undefined) return low
  return after === undefined || at - before <= after - at ? low - 1 : low
}
