import { TICKS_PER_QUARTER } from '../../../src/music/editing/values.ts'
import type { Position } from '../../../src/music/editing/positions.ts'
import {
  eventAt,
  type EventInfo,
  measureIn,
  measuresIn,
  partsIn,
} from '../../../src/music/editing/reading.ts'
import type { ScoreDocument } from '../../../src/music/model/document.ts'
import type { MeasureItem } from '../../../src/music/model/measure-items.ts'
import type { Texts } from '../../../src/texts/catalogue.ts'
import { begun, spokenItem } from '../score/reading/spoken-measure.ts'
import { type EditorState, selectedEvent } from './model/editor.ts'

/** Says what was entered or chosen last, and where it is: “Measure 3, beat 2, C5 quarter, voice 1”. */
export function spokenState(texts: Texts, state: EditorState): string {
  const { document, caret } = state
  const event = (state.anchor ? undefined : selectedEvent(state)) ?? eventAt(document, caret)
  const place = spokenPlace(texts, document, event?.position ?? caret, event)
  return state.anchor ? `${place}, ${texts.text('editor.chosen', { number: state.selected.length })}` : place
}

function spokenPlace(
  texts: Texts,
  document: ScoreDocument,
  at: Position,
  event: EventInfo | undefined,
): string {
  const { text } = texts
  const number = measuresIn(document).find(({ uuid }) => uuid === at.measure)?.number ?? ''
  const beatType = measureIn(document, at.part, at.measure)?.time?.beatType ?? 4
  const beat = 1 + at.onset / ((4 * TICKS_PER_QUARTER) / beatType)
  const parts = partsIn(document)
  const part = parts.find(({ uuid }) => uuid === at.part)
  const words = [
    text('reading.measure', { number }),
    text('editor.beat', { beat: Math.round(beat * 100) / 100 }),
    event ? spokenItem(texts, itemOf(event)) : text('editor.nothingHere'),
    ...(event?.notes.some(({ isTiedToNext }) => isTiedToNext) ? [text('editor.tiedToNext')] : []),
    ...(parts.length > 1 && part ? [part.name] : []),
    ...((part?.staves ?? 1) > 1 ? [text('reading.staff', { number: at.staff })] : []),
    text('reading.voice', { number: at.voice }),
  ]
  return begun(texts, words.join(', '))
}

function itemOf({ isRest, isGrace, value, notes }: EventInfo): MeasureItem {
  const length = value ? { value: value.type, dots: value.dots } : {}
  if (isRest) return { type: 'rest', ...length, ...(!value && { isWholeMeasure: true }) }
  return {
    type: 'notes',
    ...length,
    ...(isGrace && { isGrace }),
    pitches: notes.flatMap(({ pitch }) => pitch ?? []),
    ...(notes.some(({ isTiedToPrevious }) => isTiedToPrevious) && { isHeld: true }),
  }
}
