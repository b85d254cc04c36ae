import type { Element } from '../../model/document.ts'
import { node } from '../../model/element.ts'
import type { Outcome } from '../operation.ts'
import type { PartEditor } from '../part-editor.ts'
import { refuse } from '../refusal.ts'
import type { Session } from '../session.ts'
import { withoutLooseEnds } from './loose-ends.ts'
import { emptyMeasure, numberOf, renumbered, withMeasures, withMovedBarline } from './measure-list.ts'

/** Adds empty measures to all parts. Ties over the place are removed. */
export interface InsertMeasures {
  readonly type: 'insertMeasures'
  /** The uuid of the measure that they stand before. Null adds them at the end. */
  readonly before: string | null
  /** New uuids in lower case, one for each measure. */
  readonly uuids: readonly string[]
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const mostMeasures = 1000

/** @throws Refusal `noSuchMeasure`, and `invalidValue` for uuids that the score has, or too many */
export function insertMeasures(session: Session, { before, uuids }: InsertMeasures): Outcome {
  checkUuids(session, uuids)
  let isThere = false
  const document = withMeasures(session.document, (part) => {
    const editor = session.part(part.uuid ?? '')
    const index = before === null ? editor.measures.length : editor.findMeasure(before)
    if (index < 0) return undefined
    isThere = true
    return withEmptyMeasures(editor, index, uuids)
  })
  if (!isThere) refuse('noSuchMeasure')
  const { document: repaired, changes } = withoutLooseEnds(session, document)
  return { notes: [], score: { document: repaired, added: uuids, measures: changes.measures } }
}

/** @throws Refusal `invalidValue` */
function checkUuids(session: Session, uuids: readonly string[]): void {
  const used = new Set(
    session.parts.flatMap((part) => [part, ...session.part(part).measures.map(({ uuid }) => uuid)]),
  )
  const isNew = (uuid: string) => uuidForm.test(uuid) && !used.has(uuid)
  if (uuids.length === 0 || uuids.length > mostMeasures || new Set(uuids).size < uuids.length)
    refuse('invalidValue')
  if (!uuids.every(isNew)) refuse('invalidValue')
}

function withEmptyMeasures(editor: PartEditor, index: number, uuids: readonly string[]): Element[] {
  const { measures } = editor
  const next = measures[index]
  const last = measures[index - 1]
  const first = next ? numberOf(next, index) : numberOf(last, index - 1) + 1
  const state = index === 0 ? editor.originalStateAt(0) : editor.originalStateBefore(index)
  const made = uuids.map((uuid, place) => {
    const element = { ...node('measure', [], { number: String(first + place) }), uuid }
    return emptyMeasure(editor, state, element)
  })
  const later = renumbered(measures.slice(index), 0, uuids.length)
  if (index === 0) return withMovedSignatures(made, later)
  const before = measures.slice(0, index)
  const [end, ending] = [before.at(-1), made.at(-1)]
  if (next !== undefined || end === undefined || ending === undefined) return [...before, ...made, ...later]
  const moved = withMovedBarline(end, ending)
  return [...before.with(-1, moved.from), ...made.with(-1, moved.to)]
}

/** The first measure has the signatures of the part. */
function withMovedSignatures(made: readonly Element[], later: readonly Element[]): Element[] {
  const [first, ...others] = later
  const [start, ...rest] = made
  if (first === undefined || start === undefined) return [...made, ...later]
  const end = first.children.findIndex(
    ({ name }) => name === 'note' || name === 'forward' || name === 'backup',
  )
  const isSignature = (element: Element, place: number) =>
    element.name === 'attributes' && (end < 0 || place < end)
  const signatures = first.children.filter(isSignature)
  return [
    { ...start, children: [...signatures, ...start.children] },
    ...rest,
    { ...first, children: first.children.filter((element, place) => !isSignature(element, place)) },
    ...others,
  ]
}
