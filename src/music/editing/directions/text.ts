import type { Element } from '../../model/document.ts'
import { leaf, node } from '../../model/element.ts'
import { MAX_TEMPO, MIN_TEMPO } from '../../model/limits.ts'
import type { Mark } from '../measure-model.ts'
import type { Outcome } from '../operation.ts'
import { findPosition } from '../part-editor.ts'
import type { Position } from '../positions.ts'
import { refuse } from '../refusal.ts'
import type { Session } from '../session.ts'
import { type NoteValue, ticksOfValue, TICKS_PER_QUARTER } from '../values.ts'
import { checkValue } from '../notes/insert.ts'
import {
  contentOf,
  directionElement,
  hasSoundTempo,
  isDirectionAt,
  plainText,
  replaceMarks,
} from './marks.ts'

/** Writes a text at a time of a staff, in the place of the one there. An empty one removes it. */
export interface SetText {
  readonly type: 'setText'
  readonly at: Position
  readonly text: string
}

/** Writes a tempo above the first part, in the place of the one there. Without text and number it is removed. */
export interface SetTempo {
  readonly type: 'setTempo'
  /** The place in time. The staff and the part do not matter. */
  readonly at: Position
  /** Such as “Allegro”. */
  readonly text?: string
  /** The number of these values in a minute. */
  readonly perMinute?: number
  /** A quarter note by default. */
  readonly beatUnit?: NoteValue
}

/** Writes a rehearsal mark at the start of a measure, above the first part. An empty text removes it. */
export interface SetRehearsalMark {
  readonly type: 'setRehearsalMark'
  /** The uuid of the measure. */
  readonly measure: string
  readonly text: string
}

const isTempo = ({ element }: Mark): boolean =>
  contentOf(element, 'metronome') !== undefined || hasSoundTempo(element)

export function setText(session: Session, { at, text }: SetText): Outcome {
  const found = findPosition(session, at)
  const plain = plainText(text)
  const element = plain === '' ? undefined : directionElement(found, 'above', [leaf('words', plain)])
  replaceMarks(found, (mark) => isDirectionAt(mark, at, 'words') && !isTempo(mark), element)
  return { notes: [], caret: at }
}

export function setTempo(session: Session, { at, text = '', perMinute, beatUnit }: SetTempo): Outcome {
  const first = { ...at, part: session.parts[0] ?? '', staff: 1, voice: 1 }
  const found = findPosition(session, first)
  const unit = beatUnit ?? { type: 'quarter', dots: 0 }
  checkValue(unit)
  const quarters = perMinute === undefined ? undefined : (perMinute * ticksOfValue(unit)) / TICKS_PER_QUARTER
  if (quarters !== undefined && !(quarters >= MIN_TEMPO && quarters <= MAX_TEMPO)) refuse('invalidValue')
  const plain = plainText(text)
  const types: Element[] = [
    ...(plain === '' ? [] : [leaf('words', plain, { 'font-weight': 'bold' })]),
    ...(perMinute === undefined ? [] : [metronome(unit, perMinute)]),
  ]
  const sound =
    quarters === undefined
      ? undefined
      : node('sound', [], { tempo: String(Math.round(quarters * 1000) / 1000) })
  const element = types.length > 0 ? directionElement(found, 'above', types, sound) : undefined
  replaceMarks(
    found,
    (mark) => mark.onset === at.onset && mark.element.name === 'direction' && isTempo(mark),
    element,
  )
  return { notes: [], caret: at }
}

function metronome({ type, dots }: NoteValue, perMinute: number): Element {
  return node('metronome', [
    leaf('beat-unit', type),
    ...Array.from({ length: dots }, () => node('beat-unit-dot', [])),
    leaf('per-minute', perMinute),
  ])
}

export function setRehearsalMark(session: Session, { measure, text }: SetRehearsalMark): Outcome {
  const at = { part: session.parts[0] ?? '', measure, staff: 1, voice: 1, onset: 0 }
  const found = findPosition(session, at)
  const plain = plainText(text)
  const element = plain === '' ? undefined : directionElement(found, 'above', [leaf('rehearsal', plain)])
  replaceMarks(found, (mark) => isDirectionAt(mark, at, 'rehearsal'), element)
  return { notes: [], caret: at }
}
