import { child, childrenNamed, type Element, partsOf, type ScoreDocument } from '../../model/document.ts'
import { leaf } from '../../model/element.ts'
import { selectParts } from '../../model/parts.ts'
import { plainText } from '../directions/marks.ts'
import type { Outcome } from '../operation.ts'
import { refuse } from '../refusal.ts'
import type { Session } from '../session.ts'

/** Removes a part with its music. */
export interface RemovePart {
  readonly type: 'removePart'
  /** The uuid of the part. */
  readonly part: string
}

/** Moves a part to another place in the score. Brackets stay at their places. */
export interface MovePart {
  readonly type: 'movePart'
  readonly part: string
  /** The new place, from 0. */
  readonly to: number
}

/** Gives a part other names. An empty short name removes it. */
export interface RenamePart {
  readonly type: 'renamePart'
  readonly part: string
  readonly name: string
  readonly shortName: string
}

/** @throws Refusal `noSuchPart`, and `lastPart` if no part would be left */
export function removePart(session: Session, { part }: RemovePart): Outcome {
  session.part(part)
  const kept = session.parts.filter((uuid) => uuid !== part)
  if (kept.length === 0) refuse('lastPart')
  return { notes: [], score: { document: selectParts(session.document, kept) } }
}

export function movePart(session: Session, { part, to }: MovePart): Outcome {
  const { document } = session
  const parts = partsOf(document)
  const from = parts.findIndex(({ uuid }) => uuid === part)
  if (from < 0) refuse('noSuchPart')
  if (!Number.isInteger(to) || to < 0 || to >= parts.length) refuse('invalidValue')
  const moved = reordered(document.root.children, 'part', from, to)
  const children = moved.map((one) =>
    one.name === 'part-list' ? { ...one, children: reordered(one.children, 'score-part', from, to) } : one,
  )
  return { notes: [], score: { document: { root: { ...document.root, children } } } }
}

/** Moves one of the elements with a name among them. The others stay at their places. */
function reordered(elements: readonly Element[], name: string, from: number, to: number): Element[] {
  const named = elements.filter((one) => one.name === name)
  const moved = named[from]
  if (moved === undefined) return [...elements]
  const order = named.toSpliced(from, 1).toSpliced(to, 0, moved)
  let place = 0
  return elements.map((one) => (one.name === name ? (order[place++] ?? one) : one))
}

/** @throws Refusal `noSuchPart`, and `invalidValue` without a name */
export function renamePart(session: Session, { part, name, shortName }: RenamePart): Outcome {
  const entry = entryOf(session.document, part)
  const [long, short] = [plainText(name), plainText(shortName)]
  if (long === '') refuse('invalidValue')
  // Names with accidentals are written a second time (MusicXML 4.0, `part-name-display`).
  const kept = entry.children.filter(({ name: one }) => !names.has(one))
  const place = kept.findIndex(({ name: one }) => one !== 'identification' && one !== 'part-link')
  const added = [leaf('part-name', long), ...(short === '' ? [] : [leaf('part-abbreviation', short)])]
  const renamed = { ...entry, children: kept.toSpliced(place < 0 ? kept.length : place, 0, ...added) }
  return { notes: [], score: { document: withEntry(session.document, entry, renamed) } }
}

const names = new Set(['part-name', 'part-name-display', 'part-abbreviation', 'part-abbreviation-display'])

/** The entry of a part in the part list. @throws Refusal `noSuchPart` */
function entryOf(document: ScoreDocument, uuid: string): Element {
  const parts = partsOf(document)
  const index = parts.findIndex((part) => part.uuid === uuid)
  const list = child(document.root, 'part-list')
  const entries = list ? childrenNamed(list, 'score-part') : []
  const id = parts[index]?.attributes.id
  return entries.find(({ attributes }) => attributes.id === id) ?? entries[index] ?? refuse('noSuchPart')
}

function withEntry(document: ScoreDocument, entry: Element, replacement: Element): ScoreDocument {
  const children = document.root.children.map((one) =>
    one.name === 'part-list'
      ? { ...one, children: one.children.map((inner) => (inner === entry ? replacement : inner)) }
      : one,
  )
  return { root: { ...document.root, children } }
}
