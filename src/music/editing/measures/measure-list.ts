import type { Element, ScoreDocument } from '../../model/document.ts'
import { measureRest } from '../overwrite.ts'
import { type PartEditor, writtenVoice } from '../part-editor.ts'
import { TICKS_PER_QUARTER } from '../values.ts'
import type { PartState } from '../part-state.ts'
import { writeMeasure } from '../write-measure.ts'

/** Replaces the measures of parts. Other children of a part stay before them. */
export function withMeasures(
  document: ScoreDocument,
  measuresOf: (part: Element) => readonly Element[] | undefined,
): ScoreDocument {
  const children = document.root.children.map((part) => {
    const measures = part.name === 'part' ? measuresOf(part) : undefined
    if (measures === undefined) return part
    return { ...part, children: [...part.children.filter(({ name }) => name !== 'measure'), ...measures] }
  })
  return { root: { ...document.root, children } }
}

/** Adds to the numbers of measures, from an index on. Numbers that are no whole numbers stay. */
export function renumbered(measures: readonly Element[], from: number, distance: number): Element[] {
  return measures.map((measure, index) => {
    const number = measure.attributes.number ?? ''
    if (index < from || distance === 0 || !/^\d+$/.test(number)) return measure
    return { ...measure, attributes: { ...measure.attributes, number: String(Number(number) + distance) } }
  })
}

/** The number of a measure, or its place if it has no whole number. */
export const numberOf = (measure: Element | undefined, index: number): number => {
  const number = measure?.attributes.number ?? ''
  return /^\d+$/.test(number) ? Number(number) : index + 1
}

/**
 * An empty measure with a rest in each staff.
 * @param state what holds in it
 */
export function emptyMeasure(editor: PartEditor, state: PartState, element: Element): Element {
  const length = state.time?.length ?? 4 * TICKS_PER_QUARTER
  const { staves, divisions } = state
  const streams = Array.from({ length: staves }, (_, place) => {
    const written = writtenVoice(editor, place + 1, 1)
    return { voice: written.voice, staff: place + 1, events: [measureRest(length, written)] }
  })
  const same = { before: divisions, own: divisions, after: divisions, isWritten: false }
  return writeMeasure({ element, streams, marks: [], divisions: same, end: length, isWhole: true }, false)
    .element
}

/** The bar line that ends a piece, without a repeat. */
const isFinalBarline = ({ name, attributes, children }: Element): boolean =>
  name === 'barline' &&
  (attributes.location ?? 'right') === 'right' &&
  children.some((one) => one.name === 'bar-style' && one.text.trim() === 'light-heavy') &&
  !children.some((one) => one.name === 'repeat' || one.name === 'ending')

/** Moves the final bar line of a measure to another one, if there is one. */
export function withMovedBarline(from: Element, to: Element): { from: Element; to: Element } {
  const barline = from.children.find(isFinalBarline)
  if (barline === undefined || to.children.some(isRightBarline)) return { from, to }
  return {
    from: { ...from, children: from.children.filter((one) => one !== barline) },
    to: { ...to, children: [...to.children, barline] },
  }
}

const isRightBarline = ({ name, attributes }: Element): boolean =>
  name === 'barline' && (attributes.location ?? 'right') === 'right'
