import { child, childrenNamed } from '../../model/document.ts'
import { lyricOf } from '../../timeline/lyrics.ts'
import { syllableText } from './text.ts'
import type { Chord } from './voices.ts'

/**
 * Returns the text below some chords, one `w:` line for each verse, without the `w:`. Each chord with notes has one place in a
 * line (ABC 2.1, section 5.1): a syllable, `_` while the syllable before is held, or `*`.
 */
export function lyricLines(chords: readonly Chord[]): string[] {
  const sung = chords.filter(({ kind }) => kind === 'notes')
  const verses = new Map<number, { places: string[]; isHeld: boolean }>()
  for (const [place, { notes }] of sung.entries()) {
    const elements = notes.flatMap((note) => childrenNamed(note, 'lyric'))
    const found = new Set<number>()
    for (const [index, element] of elements.entries()) {
      const lyric = lyricOf(element, index + 1)
      if (lyric === undefined || found.has(lyric.verse)) continue
      found.add(lyric.verse)
      const verse = verses.get(lyric.verse) ?? { places: [], isHeld: false }
      verses.set(lyric.verse, verse)
      fill(verse, place)
      verse.places.push(syllableText(lyric.text) + (lyric.wordEnds ? '' : '-'))
      verse.isHeld = child(element, 'extend') !== undefined
    }
  }
  return [...verses].sort(([a], [b]) => a - b).map(([, { places }]) => places.join(' '))
}

/** Adds the places of the chords since the last syllable. */
function fill(verse: { places: string[]; isHeld: boolean }, until: number): void {
  while (verse.places.length < until) verse.places.push(verse.isHeld ? '_' : '*')
}
