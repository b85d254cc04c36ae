import { type Element, measuresOf } from '../../music/model/document.ts'

/**
 * Shows the staves of a part that a file hides only for a while, such as the resting voice of the first system. The engine would
 * hide such a staff, with its notes, in the whole score. A staff that the file never shows stays hidden.
 */
export function withShownStaves(part: Element): Element {
  const measures = measuresOf(part)
  const all = measures.flatMap(staffDetailsIn)
  if (!all.some(isHidden)) return part
  const first = measures[0] ? staffDetailsIn(measures[0]) : []
  const remainsHidden = (staff: string) =>
    first.some((one) => staffOf(one) === staff && isHidden(one)) &&
    !all.some((one) => staffOf(one) === staff && one.attributes['print-object'] === 'yes')
  const shown = (one: Element): Element => {
    if (one.name !== 'staff-details' || !isHidden(one) || remainsHidden(staffOf(one))) return one
    return { ...one, attributes: { ...one.attributes, 'print-object': 'yes' } }
  }
  const children = part.children.map((measure) => ({
    ...measure,
    children: measure.children.map((one) =>
      one.name === 'attributes' ? { ...one, children: one.children.map(shown) } : one,
    ),
  }))
  return { ...part, children }
}

const staffDetailsIn = (measure: Element): Element[] =>
  measure.children
    .filter(({ name }) => name === 'attributes')
    .flatMap(({ children }) => children.filter(({ name }) => name === 'staff-details'))

const isHidden = ({ attributes }: Element): boolean => attributes['print-object'] === 'no'
const staffOf = ({ attributes }: Element): string => attributes.number ?? '1'
