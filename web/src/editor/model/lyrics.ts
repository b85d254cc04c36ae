import type { ScoreDocument } from '../../../../src/music/model/document.ts'
import type { Position } from '../../../../src/music/editing/positions.ts'
import {
  type EventInfo,
  eventAt,
  type LyricInfo,
  nextPosition,
  previousPosition,
} from '../../../../src/music/editing/reading.ts'
import type { Editor } from './editor.ts'

/** How a syllable ends: its word ends, its word goes on under the next note, or it is held with a line. */
export type SyllableEnd = 'word' | 'hyphen' | 'line'

/** Whether a syllable can stand under an event: under a note, at the beginning of its tie. */
const isSung = ({ isRest, isGrace, notes }: EventInfo): boolean =>
  !isRest && !isGrace && !notes.some(({ isTiedToPrevious }) => isTiedToPrevious)

/** The nearest place before or after another one, under which a syllable can stand. */
export function sungPlace(
  document: ScoreDocument,
  from: Position,
  direction: 'next' | 'previous',
): Position | undefined {
  const step = direction === 'next' ? nextPosition : previousPosition
  for (let at = step(document, from); at; at = step(document, at)) {
    const event = eventAt(document, at)
    if (event && isSung(event)) return event.position
  }
  return undefined
}

/** The place itself, or the next one, under which a syllable can stand. */
export function firstSungPlace(document: ScoreDocument, at: Position): Position | undefined {
  const event = eventAt(document, at)
  return event && isSung(event) ? event.position : sungPlace(document, at, 'next')
}

export const syllableAt = (document: ScoreDocument, at: Position, verse: number): LyricInfo | undefined =>
  eventAt(document, at)?.lyrics.find((lyric) => lyric.verse === verse)

/** Writes a syllable. Whether it begins or goes on a word follows from the one before. An empty text removes it. */
export function writeSyllable(
  editor: Editor,
  at: Position,
  verse: number,
  text: string,
  end: SyllableEnd,
): void {
  const { document, selected, isEntering, caret } = editor.state()
  const previous = sungPlace(document, at, 'previous')
  const before = previous && syllableAt(document, previous, verse)?.syllabic
  const goesOn = before === 'begin' || before === 'middle'
  const syllabic =
    end === 'hyphen' ? (goesOn ? 'middle' : 'begin') : goesOn ? ('end' as const) : ('single' as const)
  const present = syllableAt(document, at, verse)
  if ((present?.text ?? '') === text && (text === '' || present?.syllabic === syllabic) && end !== 'line')
    return
  editor.apply(
    [{ type: 'setLyric', at, verse, text, syllabic, ...(end === 'line' && { isHeld: true }) }],
    () => ({ selected, isEntering, caret }),
  )
}
