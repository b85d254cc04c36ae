import type { Element } from '../../model/document.ts'
import { node } from '../../model/element.ts'
import type { Mark } from '../measure-model.ts'
import type { Outcome } from '../operation.ts'
import { fullEvents } from '../overwrite.ts'
import { findPosition, type PartEditor } from '../part-editor.ts'
import type { Position } from '../positions.ts'
import { refuse } from '../refusal.ts'
import type { Session } from '../session.ts'
import { directionElement, directionTypesOf, replaceMarks, withMarks, withoutType } from './marks.ts'

/** Writes a hairpin from one note to the end of another one, in the place of those that begin between them. Null only removes them. */
export interface SetHairpin {
  readonly type: 'setHairpin'
  readonly from: Position
  /** A note or rest of the same part, not before the first one. */
  readonly to: Position
  readonly kind: 'crescendo' | 'diminuendo' | null
}

/** Numbers of hairpins that are open at the same time (MusicXML 4.0, `number-level`). */
const mostHairpins = 16

/** @throws Refusal `notInOnePart`, `noSuchPosition`, `tooManySigns` */
export function setHairpin(session: Session, { from, to, kind }: SetHairpin): Outcome {
  if (from.part !== to.part) refuse('notInOnePart')
  const first = findPosition(session, from)
  const last = findPosition(session, to)
  const isBefore = last.index < first.index || (last.index === first.index && to.onset < from.onset)
  if (isBefore || (kind !== null && kind !== 'crescendo' && kind !== 'diminuendo')) refuse('noSuchPosition')
  const { editor } = first
  const end = fullEvents(editor, last).find(
    ({ onset, ticks }) => onset <= to.onset && to.onset < onset + ticks,
  )
  const stopAt = end ? end.onset + end.ticks : editor.meterAt(last.index).length
  removeHairpins(editor, first, last)
  if (kind !== null) {
    const number = String(freeNumber(wedgesIn(editor)))
    replaceMarks(
      first,
      () => false,
      directionElement(first, 'below', [node('wedge', [], { type: kind, number })]),
    )
    const stop = { ...last, onset: stopAt }
    replaceMarks(
      stop,
      () => false,
      directionElement(last, 'below', [node('wedge', [], { type: 'stop', number })]),
    )
  }
  return { notes: [], caret: from }
}

interface Wedge {
  readonly index: number
  readonly mark: Mark
  readonly element: Element
}

function wedgesIn(editor: PartEditor): Wedge[] {
  return editor.measures.flatMap((_, index) =>
    editor
      .modelAt(index)
      .marks.flatMap((mark) =>
        directionTypesOf(mark.element).flatMap((element) =>
          element.name === 'wedge' ? [{ index, mark, element }] : [],
        ),
      ),
  )
}

/** Removes the hairpins of a staff that begin from one place to another, with their ends. */
function removeHairpins(
  editor: PartEditor,
  from: { readonly index: number; readonly onset: number; readonly staff: number },
  to: { readonly index: number; readonly onset: number },
): void {
  const wedges = wedgesIn(editor)
  const isFrom = ({ index, mark }: Wedge) =>
    index > from.index || (index === from.index && mark.onset >= from.onset)
  const isTo = ({ index, mark }: Wedge) => index < to.index || (index === to.index && mark.onset <= to.onset)
  const starts = wedges.filter(
    (wedge) => wedge.element.attributes.type !== 'stop' && isFrom(wedge) && isTo(wedge),
  )
  for (const start of starts) {
    const number = start.element.attributes.number ?? '1'
    const stop = wedges
      .slice(wedges.indexOf(start) + 1)
      .find(
        ({ element }) => element.attributes.type === 'stop' && (element.attributes.number ?? '1') === number,
      )
    for (const wedge of stop ? [start, stop] : [start]) removeWedge(editor, wedge)
  }
}

function removeWedge(editor: PartEditor, { index, element }: Wedge): void {
  const model = editor.modelAt(index)
  const marks = model.marks.flatMap((mark) => {
    if (!directionTypesOf(mark.element).includes(element)) return [mark]
    const left = withoutType(mark.element, element)
    return left ? [{ ...mark, element: left }] : []
  })
  editor.replace(index, withMarks(model, marks))
}

/** The lowest number that no hairpin of the part has. */
function freeNumber(wedges: readonly Wedge[]): number {
  const used = new Set(wedges.map(({ element }) => element.attributes.number ?? '1'))
  for (let number = 1; number <= mostHairpins; number++) if (!used.has(String(number))) return number
  return refuse('tooManySigns')
}
