import { child, childText, type Element } from '../../model/document.ts'
import { leaf, node } from '../../model/element.ts'
import { printable } from '../../model/printable.ts'
import type { Mark, MeasureModel } from '../measure-model.ts'
import { type FoundPosition, streamPlace } from '../part-editor.ts'
import { refuse } from '../refusal.ts'

/** The content of all `direction-type` of a direction. */
export const directionTypesOf = (direction: Element): Element[] =>
  direction.name === 'direction'
    ? direction.children.flatMap((one) => (one.name === 'direction-type' ? one.children : []))
    : []

const staffOfMark = (element: Element): number => Number(childText(element, 'staff')) || 1

/** Whether a mark is a direction of a staff at a time, with a content. */
export function isDirectionAt(
  { element, onset }: Mark,
  at: { readonly staff: number; readonly onset: number },
  name: string,
): boolean {
  return (
    onset === at.onset &&
    staffOfMark(element) === at.staff &&
    directionTypesOf(element).some((one) => one.name === name)
  )
}

/** Puts a mark in the place of those that a test chooses, or removes them. */
export function replaceMarks(
  { editor, index, staff, voice, onset }: FoundPosition,
  isReplaced: (mark: Mark) => boolean,
  element: Element | undefined,
): void {
  const model = editor.modelAt(index)
  const kept = model.marks.filter((mark) => !isReplaced(mark))
  const first = model.marks.findIndex(isReplaced)
  const stream = Math.max(0, streamPlace(editor, index, staff, voice))
  const mark = element && { element, onset, stream: model.marks[first]?.stream ?? stream }
  const place = first < 0 ? kept.length : first
  editor.replace(index, withMarks(model, mark ? kept.toSpliced(place, 0, mark) : kept))
}

export const withMarks = (model: MeasureModel, marks: readonly Mark[]): MeasureModel => ({ ...model, marks })

/** A direction of a staff. */
export function directionElement(
  { editor, staff }: FoundPosition,
  placement: 'above' | 'below',
  types: readonly Element[],
  sound?: Element,
): Element {
  return node(
    'direction',
    [
      ...types.map((type) => node('direction-type', [type])),
      ...(editor.stateAt(0).staves > 1 ? [leaf('staff', staff)] : []),
      ...(sound ? [sound] : []),
    ],
    { placement },
  )
}

/** Removes a content from a direction, and the direction if it has no other. */
export function withoutType(direction: Element, doomed: Element): Element | undefined {
  const children = direction.children.flatMap((one) => {
    if (one.name !== 'direction-type' || !one.children.includes(doomed)) return [one]
    const kept = one.children.filter((inner) => inner !== doomed)
    return kept.length > 0 ? [{ ...one, children: kept }] : []
  })
  const isLeft = children.some(({ name }) => name === 'direction-type')
  return isLeft ? { ...direction, children } : undefined
}

const longestText = 1000

/**
 * A text on one line, without characters that XML does not allow.
 * @throws Refusal `invalidValue` if it is too long
 */
export function plainText(text: string): string {
  const plain = printable(text)
  return plain.length <= longestText ? plain : refuse('invalidValue')
}

/** The text of the first content of a direction with a name. */
export const contentOf = (direction: Element, name: string): Element | undefined =>
  directionTypesOf(direction).find((one) => one.name === name)

export const hasSoundTempo = (direction: Element): boolean =>
  child(direction, 'sound')?.attributes.tempo !== undefined
