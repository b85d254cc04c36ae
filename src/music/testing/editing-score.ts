import { applyOperation, type Edited } from '../editing/apply.ts'
import type { Operation } from '../editing/operation.ts'
import type { Position } from '../editing/positions.ts'
import { eventsIn, measuresIn, partsIn } from '../editing/reading.ts'
import { TICKS_PER_QUARTER } from '../editing/values.ts'
import type { ScoreDocument } from '../model/document.ts'
import { identify } from '../model/uuids.ts'
import { type MiniPart, miniScore } from './mini-score.ts'

/** The uuid with a number. */
export const testUuid = (number: number): string =>
  `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

/** A score as `miniScore` makes it, with the same uuids in each run. */
export function identifiedScore(...parts: readonly (MiniPart | readonly string[])[]): ScoreDocument {
  const document = miniScore(...parts)
  let uuids = 0
  identify(document, () => testUuid(++uuids))
  return document
}

/** A place by numbers from 0; staff and voice from 1. The time is in quarter notes. */
export function placeIn(
  document: ScoreDocument,
  measure: number,
  quarter: number,
  voice = 1,
  staff = 1,
  part = 0,
): Position {
  return {
    part: partsIn(document)[part]?.uuid ?? '',
    measure: measuresIn(document)[measure]?.uuid ?? '',
    staff,
    voice,
    onset: Math.round(quarter * TICKS_PER_QUARTER),
  }
}

/** Applies operations that are not refused. */
export function edited(document: ScoreDocument, ...operations: readonly Operation[]): Edited {
  let last: Edited | undefined
  for (const operation of operations) {
    const result = applyOperation(last?.document ?? document, operation)
    if (result.isRefused) throw new Error(`${operation.type} is refused: ${result.reason}`)
    last = result
  }
  if (last === undefined) throw new Error('no operations')
  return last
}

const signs: Record<string, string> = { '-2': 'bb', '-1': 'b', '0': '', '1': '#', '2': 'x' }

/**
 * The notes of a voice in a measure: `C#4:quarter` for a note, `C4+E4:half.` for a chord with a dot, `r:eighth` for a rest, `R` for one of
 * the whole measure. `~` stands behind a tie to the next note, `3:2` behind a tuplet.
 */
export function voiceText(document: ScoreDocument, measure: number, voice = 1, staff = 1, part = 0): string {
  return eventsIn(document, placeIn(document, measure, 0, voice, staff, part))
    .map(({ value, tuplet, isRest, notes, isGrace }) => {
      const pitches = notes.map(({ pitch, isTiedToNext }) =>
        pitch ? `${pitch.step}${signs[pitch.alter]}${pitch.octave}${isTiedToNext ? '~' : ''}` : 'r',
      )
      if (isRest && value === undefined) return 'R'
      const ratio = tuplet ? ` ${tuplet.actual}:${tuplet.normal}` : ''
      return `${isGrace ? 'grace ' : ''}${pitches.join('+')}:${value?.type}${'.'.repeat(value?.dots ?? 0)}${ratio}`
    })
    .join(', ')
}
