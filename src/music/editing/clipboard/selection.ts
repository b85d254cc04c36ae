import { fullEvents } from '../overwrite.ts'
import { findPosition, type PartEditor } from '../part-editor.ts'
import type { Position } from '../positions.ts'
import { refuse } from '../refusal.ts'
import type { Session } from '../session.ts'

/**
 * A time of some staves, in all their voices: from the beginning of the note or rest at one place to the end of the one at another. The
 * staves are those of the two places and all between them, in score order.
 */
export interface Selection {
  readonly from: Position
  readonly to: Position
}

/** A staff of the score. */
export interface StaffPlace {
  readonly editor: PartEditor
  readonly staff: number
}

/** A part of a measure. */
export interface TimePiece {
  readonly index: number
  /** Ticks from the start of the measure. */
  readonly from: number
  readonly to: number
}

export interface FoundSelection {
  readonly staves: readonly StaffPlace[]
  /** In order, one for each measure. */
  readonly pieces: readonly TimePiece[]
}

/** All staves of the score, in score order. */
export const stavesOf = (session: Session): StaffPlace[] =>
  session.parts.flatMap((part) => {
    const editor = session.part(part)
    return Array.from({ length: editor.stateAt(0).staves }, (_, place) => ({ editor, staff: place + 1 }))
  })

/** @throws Refusal for a place that the score does not have. The two places can be in any order. */
export function findSelection(session: Session, { from, to }: Selection): FoundSelection {
  const places = [findPosition(session, from), findPosition(session, to)].sort(
    (a, b) => a.index - b.index || a.onset - b.onset,
  )
  const [first, last] = places
  if (first === undefined || last === undefined) return refuse('noSuchPosition')
  const all = stavesOf(session)
  const rows = places.map(({ editor, staff }) =>
    all.findIndex((one) => one.editor === editor && one.staff === staff),
  )
  const staves = all.slice(Math.min(...rows), Math.max(...rows) + 1)
  const events = fullEvents(last.editor, last)
  const event = events.find(({ onset, ticks }) => onset <= last.onset && last.onset < onset + ticks)
  const end = event ? event.onset + event.ticks : last.onset
  const pieces: TimePiece[] = []
  for (let index = first.index; index <= last.index; index++) {
    pieces.push({
      index,
      from: index === first.index ? first.onset : 0,
      to: index === last.index ? end : last.editor.meterAt(index).length,
    })
  }
  return { staves, pieces }
}
