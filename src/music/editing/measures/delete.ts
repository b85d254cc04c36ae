import type { Element } from '../../model/document.ts'
import { leaf, node } from '../../model/element.ts'
import { mergedAttributes } from '../attributes.ts'
import type { Outcome } from '../operation.ts'
import type { PartEditor } from '../part-editor.ts'
import { initialState } from '../part-state.ts'
import { refuse } from '../refusal.ts'
import type { Session } from '../session.ts'
import { withoutLooseEnds } from './loose-ends.ts'
import { withMatchedMarks } from './loose-marks.ts'
import { renumbered, withMeasures, withMovedBarline } from './measure-list.ts'

/** Removes measures from all parts. Signatures and clefs that began in them hold for the measures after them. */
export interface DeleteMeasures {
  readonly type: 'deleteMeasures'
  /** The uuids of the measures. */
  readonly measures: readonly string[]
}

/** @throws Refusal `noSuchMeasure`, and `lastMeasure` if no measure would be left */
export function deleteMeasures(session: Session, { measures }: DeleteMeasures): Outcome {
  const doomed = new Set(measures)
  const known = new Set(session.parts.flatMap((part) => session.part(part).measures.map(({ uuid }) => uuid)))
  if (doomed.size === 0 || measures.some((uuid) => !known.has(uuid))) refuse('noSuchMeasure')
  const shorter = withMeasures(session.document, (part) =>
    withoutMeasures(session.part(part.uuid ?? ''), doomed),
  )
  const { document, changes } = withoutLooseEnds(session, withMatchedMarks(shorter, session.document))
  return { notes: [], score: { document, removed: [...doomed], measures: changes.measures } }
}

function withoutMeasures(editor: PartEditor, doomed: ReadonlySet<string>): Element[] {
  const isDoomed = (measure: Element) => measure.uuid !== undefined && doomed.has(measure.uuid)
  const kept: Element[] = []
  let carried: Element[] = []
  /** The divisions after the last measure that is kept. */
  let written = initialState.divisions
  let gone = 0
  for (const [index, measure] of editor.measures.entries()) {
    if (isDoomed(measure)) {
      carried = mergedAttributes(node('attributes', carried), attributesOf(measure)).children
      // A pick-up has no number of its own.
      if (measure.attributes.implicit !== 'yes') gone += 1
      continue
    }
    const [numbered = measure] = renumbered([measure], 0, -gone)
    const { divisions } = editor.originalStateBefore(index)
    const isCarried = carried.length > 0 || divisions !== written
    kept.push(isCarried ? withCarried(numbered, carried, divisions) : numbered)
    carried = []
    written = editor.originalStateBefore(index + 1).divisions
  }
  const [last, end] = [editor.measures.at(-1), kept.at(-1)]
  if (end === undefined) return refuse('lastMeasure')
  if (last === undefined || !isDoomed(last)) return kept
  return kept.with(-1, withMovedBarline(last, end).to)
}

/** The attributes of a measure that hold after it. */
const attributesOf = (measure: Element): Element[] =>
  measure.children
    .filter(({ name }) => name === 'attributes')
    .flatMap(({ children }) =>
      children.filter(({ name }) => name !== 'measure-style' && name !== 'divisions'),
    )

function withCarried(measure: Element, carried: readonly Element[], divisions: number): Element {
  const place = measure.children.findIndex(({ name }) => name !== 'print')
  const first = measure.children[place]
  const all = [leaf('divisions', divisions), ...carried]
  if (first?.name !== 'attributes') {
    return {
      ...measure,
      children: measure.children.toSpliced(Math.max(0, place), 0, node('attributes', all)),
    }
  }
  const merged = mergedAttributes(node('attributes', all, first.attributes), first.children)
  return { ...measure, children: measure.children.with(place, merged) }
}
