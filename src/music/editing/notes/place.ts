import type { Element } from '../../model/document.ts'
import type { Event } from '../measure-model.ts'
import { tupletRatioOf } from '../note-element.ts'
import { overwrite, tiedEvents, fullEvents } from '../overwrite.ts'
import type { FoundPosition } from '../part-editor.ts'
import { refuse } from '../refusal.ts'
import type { SelectedNotes } from '../session.ts'
import { type TupletGroup, tupletAt } from '../tuplets.ts'
import { type NoteValue, ticksOfValue, valueOfTicks, valuesBetween } from '../values.ts'

export interface Placed {
  /** What was written, one entry for each note of a tied chain. */
  readonly notes: readonly SelectedNotes[]
  /** The time behind it. At the end of the score that is the end of its last measure. */
  readonly next: { readonly index: number; readonly onset: number }
}

/**
 * Writes a chord or a rest into a voice, in the place of what is there at that time. What does not fit into the measure goes on in the
 * next one, with ties.
 * @param notes the notes of the chord, or one rest
 * @throws Refusal `endOfScore` if there is no next measure, `tooLongForTuplet`, `insideTuplet` in a tuplet with another one in it
 */
export function placeNotes(found: FoundPosition, value: NoteValue, notes: readonly Element[]): Placed {
  const { editor, index, staff, voice, onset } = found
  const inTuplet = tupletAt(fullEvents(editor, found), onset)
  if (inTuplet) return placeInTuplet(found, inTuplet, value, notes)
  const pieces: { index: number; from: number; to: number }[] = []
  let left = ticksOfValue(value)
  for (let at = index, from = onset; left > 0; at++, from = 0) {
    if (at >= editor.measures.length) refuse('endOfScore')
    const to = Math.min(editor.meterAt(at).length, from + left)
    pieces.push({ index: at, from, to })
    left -= to - from
  }
  const values = pieces.flatMap((piece) => {
    const meter = editor.meterAt(piece.index)
    const whole = valueOfTicks(piece.to - piece.from)
    const isRest = notes.some(({ children }) => children.some(({ name }) => name === 'rest'))
    const divided =
      pieces.length === 1
        ? [{ onset: piece.from, ticks: piece.to - piece.from, value }]
        : whole && whole.dots < 2 && !isRest
          ? [{ onset: piece.from, ticks: piece.to - piece.from, value: whole }]
          : valuesBetween(piece.from, piece.to, meter, isRest)
    return divided.map((one) => ({ ...one, index: piece.index }))
  })
  const events = tiedEvents(notes, values)
  for (const piece of pieces) {
    const own = events.filter((_, place) => values[place]?.index === piece.index)
    overwrite(editor, { index: piece.index, staff, voice }, [piece.from, piece.to], own)
  }
  const last = pieces.at(-1)
  return {
    notes: values.map((one) => ({ part: editor.uuid, index: one.index, staff, voice, onset: one.onset })),
    next: placeAfter(found, last?.index ?? index, last?.to ?? onset),
  }
}

function placeInTuplet(
  found: FoundPosition,
  tuplet: TupletGroup,
  value: NoteValue,
  notes: readonly Element[],
): Placed {
  const { editor, index, staff, voice, onset } = found
  const ticks = (ticksOfValue(value) * tuplet.normal) / tuplet.actual
  if (onset + ticks > tuplet.to) refuse('tooLongForTuplet')
  if (isNested(fullEvents(editor, found), tuplet) || !Number.isInteger(ticks)) refuse('insideTuplet')
  const events = tiedEvents(notes, [{ onset, ticks, value }], tuplet)
  overwrite(editor, found, [onset, onset + ticks], events, tuplet)
  return {
    notes: [{ part: editor.uuid, index, staff, voice, onset }],
    next: placeAfter(found, index, onset + ticks),
  }
}

const isNested = (events: readonly Event[], { first, last, actual, normal }: TupletGroup): boolean =>
  events.slice(first, last + 1).some(({ notes: [note], isGrace }) => {
    const ratio = note && tupletRatioOf(note)
    return !isGrace && (ratio?.actual !== actual || ratio.normal !== normal)
  })

function placeAfter({ editor }: FoundPosition, index: number, onset: number): Placed['next'] {
  const isLast = index + 1 >= editor.measures.length
  return isLast || onset < editor.meterAt(index).length ? { index, onset } : { index: index + 1, onset: 0 }
}
