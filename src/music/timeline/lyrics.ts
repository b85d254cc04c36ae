import { childText, type Element } from '../model/document.ts'
import { isPlayedAt, timeOnlyOf, type WrittenLyric } from './written.ts'

/**
 * The syllable of a `lyric` element, elisions included; undefined when it has no text (humming, an extender only).
 * `place` is its place among the lyrics of its note, from 1.
 */
export function lyricOf(lyric: Element, place: number): WrittenLyric | undefined {
  let text = ''
  for (const part of lyric.children) {
    if (part.name === 'text') text += part.text
    else if (part.name === 'elision') text += part.text.trim() === '' ? ' ' : part.text
  }
  text = text.trim()
  if (text === '') return undefined
  const number = lyric.attributes.number ?? ''
  const syllabic = childText(lyric, 'syllabic')
  return {
    verse: /^\d+$/.test(number) ? Number(number) : place,
    text,
    wordEnds: syllabic !== 'begin' && syllabic !== 'middle',
    timeOnly: timeOnlyOf(lyric),
  }
}

/**
 * The syllable to sing that time: the one with a matching `time-only`, or that of the verse with the same
 * number, or of the last verse before it, so that a refrain that is written once is sung each time.
 */
export function lyricSungAt(lyrics: readonly WrittenLyric[], occurrence: number): WrittenLyric | undefined {
  let matching: WrittenLyric | undefined
  for (const lyric of lyrics) {
    if (lyric.timeOnly !== undefined) {
      if (isPlayedAt(lyric.timeOnly, occurrence)) return lyric
    } else if (lyric.verse <= occurrence && (matching === undefined || lyric.verse > matching.verse))
      matching = lyric
  }
  return matching
}
