import type { Element } from '../model/document.ts'
import { node } from '../model/element.ts'
import type { Mark, MeasureModel } from './measure-model.ts'

/** The children of `attributes` in the order of the schema (MusicXML 4.0). */
const order =
  'footnote level divisions key time staves part-symbol instruments clef staff-details transpose for-part directive measure-style'.split(
    ' ',
  )

/** Children that hold for one staff, or for all. */
const keyOf = ({ name, attributes }: Element): string => `${name} ${attributes.number ?? ''}`

/** Puts children into an `attributes` element, in the place of those of the same name and staff. */
export function mergedAttributes(attributes: Element, added: readonly Element[]): Element {
  const replaced = new Set(added.map(keyOf))
  const kept = attributes.children.filter((one) => !replaced.has(keyOf(one)))
  const children = [...kept, ...added].sort(
    (a, b) => order.indexOf(a.name) - order.indexOf(b.name) || staffOf(a) - staffOf(b),
  )
  return { ...attributes, children }
}

const staffOf = ({ attributes }: Element): number => Number(attributes.number) || 0

/**
 * Puts signatures or clefs at a time of a measure.
 * @param removes which children there are replaced, besides those of the same name and staff
 */
export function withAttributes(
  model: MeasureModel,
  onset: number,
  added: readonly Element[],
  removes: (element: Element) => boolean = () => false,
): MeasureModel {
  const isThere = ({ element, onset: at }: Mark) => element.name === 'attributes' && at === onset
  const cleaned = model.marks.flatMap((mark) => {
    if (!isThere(mark)) return [mark]
    const children = mark.element.children.filter((one) => !removes(one))
    return [{ ...mark, element: { ...mark.element, children } }]
  })
  const place = cleaned.findIndex(isThere)
  const present = cleaned[place]
  const marks = present
    ? cleaned.with(place, { ...present, element: mergedAttributes(present.element, added) })
    : [{ element: node('attributes', [...added]), onset, stream: 0 }, ...cleaned]
  return { ...model, marks: marks.filter((mark) => !isThere(mark) || mark.element.children.length > 0) }
}
