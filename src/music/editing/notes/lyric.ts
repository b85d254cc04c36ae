import { childrenNamed, type Element } from '../../model/document.ts'
import { leaf, node } from '../../model/element.ts'
import { plainText } from '../directions/marks.ts'
import { withChildren } from '../note-element.ts'
import type { Outcome } from '../operation.ts'
import { findPosition, isRestEvent, streamPlace } from '../part-editor.ts'
import type { Position } from '../positions.ts'
import { refuse } from '../refusal.ts'
import type { Session } from '../session.ts'
import { replaceEvent } from './found-notes.ts'

const syllabics = ['single', 'begin', 'middle', 'end'] as const

/** Writes the syllable of a note in a verse. An empty text removes it. */
export interface SetLyric {
  readonly type: 'setLyric'
  readonly at: Position
  /** From 1. */
  readonly verse: number
  readonly text: string
  /** Where the syllable is in its word. */
  readonly syllabic: (typeof syllabics)[number]
  /** A line shows that the syllable is held. */
  readonly isHeld?: boolean
}

const mostVerses = 20

/** @throws Refusal `notANote`, `invalidValue` */
export function setLyric(session: Session, { at, verse, text, syllabic, isHeld }: SetLyric): Outcome {
  const found = findPosition(session, at)
  const { editor, index, staff, voice, onset } = found
  if (!Number.isInteger(verse) || verse < 1 || verse > mostVerses || !syllabics.includes(syllabic))
    refuse('invalidValue')
  const stream = streamPlace(editor, index, staff, voice)
  const events = editor.modelAt(index).streams[stream]?.events ?? []
  const place = events.findIndex((event) => event.onset === onset && !event.isGrace)
  const event = events[place]
  if (event === undefined || isRestEvent(event)) refuse('notANote')
  const plain = plainText(text)
  const written =
    plain === ''
      ? undefined
      : node(
          'lyric',
          [leaf('syllabic', syllabic), leaf('text', plain), ...(isHeld ? [node('extend', [])] : [])],
          { number: String(verse) },
        )
  const all = event.notes.flatMap((note) => childrenNamed(note, 'lyric'))
  const others = all.filter((lyric) => verseOf(lyric) !== verse)
  const lyrics = [...others, ...(written ? [written] : [])].sort((a, b) => verseOf(a) - verseOf(b))
  const notes = event.notes.map((note, number) => withChildren(note, 'lyric', number === 0 ? lyrics : []))
  replaceEvent(editor, { index, stream, event: place }, { ...event, notes })
  return { notes: [{ part: at.part, index, staff, voice, onset }], caret: at }
}

/** The verse of a lyric, from 1. */
export const verseOf = (lyric: Element): number => Number.parseInt(lyric.attributes.number ?? '1', 10) || 1
