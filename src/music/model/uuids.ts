import { align } from './alignment.ts'
import {
  child,
  childrenNamed,
  childText,
  type Element,
  measuresOf,
  partsOf,
  type ScoreDocument,
} from './document.ts'
import { layoutAttributes } from './layout-attributes.ts'

/** The form of RFC 9562, section 4, in lower case, which the RFC requires for output. */
const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The number of parts that are compared one by one if all parts together do not identify the measures. */
const MAX_SINGLE_PARTS = 8

/**
 * Gives every part and every measure of the document its uuid, in place. The measures of all parts at the
 * same index are one measure of the score and share one uuid.
 *
 * A uuid in the document is kept if it is well-formed and occurs once. Otherwise a part or measure takes the
 * uuid of its counterpart in `previous`. Parts are matched by id and name, then by name, then by position.
 * Measures are matched by their content, then by their music alone, then by their place between two matched
 * ones. A part or measure without a counterpart gets a `newUuid()`.
 */
export function identify(document: ScoreDocument, newUuid: () => string, previous?: ScoreDocument): void {
  const counterparts = previous ? matchParts(document, previous) : new Map<Element, Element>()
  const parts = partsOf(document)
  const usedUuids = new Set<string>()

  const keptUuids = parts.map((part) => claim(usedUuids, part.uuid))
  for (const [index, part] of parts.entries()) {
    part.uuid =
      keptUuids[index] ?? claim(usedUuids, counterparts.get(part)?.uuid) ?? claimNew(usedUuids, newUuid)
  }

  const columns = columnsOf(parts)
  const keptMeasures = columns.map((column) => claim(usedUuids, ...column.map((measure) => measure.uuid)))
  const before = previous ? columnsOf(partsOf(previous)) : []
  const sameAs = matchColumns(parts, counterparts, before.length, columns.length)
  for (const [index, column] of columns.entries()) {
    const inherited = before[sameAs[index] ?? -1]?.map((measure) => measure.uuid) ?? []
    const uuid = keptMeasures[index] ?? claim(usedUuids, ...inherited) ?? claimNew(usedUuids, newUuid)
    for (const measure of column) measure.uuid = uuid
  }
}

/** The first of the uuids that is well-formed and not taken, which it then is. */
function claim(usedUuids: Set<string>, ...uuids: Array<string | undefined>): string | undefined {
  const uuid = uuids.find(
    (candidate) => candidate !== undefined && uuidForm.test(candidate) && !usedUuids.has(candidate),
  )
  if (uuid !== undefined) usedUuids.add(uuid)
  return uuid
}

function claimNew(usedUuids: Set<string>, newUuid: () => string): string {
  const uuid = newUuid()
  usedUuids.add(uuid)
  return uuid
}

/** The measures of all parts at each index of the score. Shorter parts have none at the end. */
function columnsOf(parts: readonly Element[]): Element[][] {
  const columns: Element[][] = []
  for (const part of parts) {
    for (const [index, measure] of measuresOf(part).entries()) {
      const column = columns[index]
      if (column) column.push(measure)
      else columns.push([measure])
    }
  }
  return columns
}

/** For each part of the document, its counterpart in the previous one. Each previous part is used once. */
function matchParts(document: ScoreDocument, previous: ScoreDocument): Map<Element, Element> {
  const before = partsOf(previous)
  const counterparts = new Map<Element, Element>()
  const matched = new Set<Element>()
  const names = partNames(document)
  const namesBefore = partNames(previous)
  const sameName = (part: Element, other: Element): boolean =>
    names.get(part) !== undefined && names.get(part) === namesBefore.get(other)
  const rules: Array<(part: Element, other: Element, index: number) => boolean> = [
    (part, other) => part.uuid !== undefined && part.uuid === other.uuid,
    (part, other) => part.attributes.id === other.attributes.id && sameName(part, other),
    sameName,
    (_part, other, index) => other === before[index],
  ]
  for (const rule of rules) {
    for (const [index, part] of partsOf(document).entries()) {
      if (counterparts.has(part)) continue
      const other = before.find((candidate) => !matched.has(candidate) && rule(part, candidate, index))
      if (other === undefined) continue
      counterparts.set(part, other)
      matched.add(other)
    }
  }
  return counterparts
}

/** The names of the parts in the part list. */
function partNames(document: ScoreDocument): Map<Element, string> {
  const list = child(document.root, 'part-list')
  const names = new Map<string, string>()
  for (const entry of list ? childrenNamed(list, 'score-part') : []) {
    const name = childText(entry, 'part-name')
    if (entry.attributes.id !== undefined && name) names.set(entry.attributes.id, name)
  }
  const named = new Map<Element, string>()
  for (const part of partsOf(document)) {
    const name = names.get(part.attributes.id ?? '')
    if (name !== undefined) named.set(part, name)
  }
  return named
}

/** For each measure of the score the index of the same measure in the previous version, or -1. */
function matchColumns(
  parts: readonly Element[],
  counterparts: ReadonlyMap<Element, Element>,
  countBefore: number,
  count: number,
): number[] {
  const contents = new Map<string, number>()
  const before: ContentNumbers[] = []
  const after: ContentNumbers[] = []
  for (const part of parts) {
    const counterpart = counterparts.get(part)
    if (counterpart === undefined) continue
    before.push(contentNumbers(counterpart, countBefore, contents))
    after.push(contentNumbers(part, count, contents))
  }
  const pairs = Array.from({ length: count }, () => -1)
  for (const aspect of aspects) {
    alignGaps(combineContents(before, aspect, countBefore), combineContents(after, aspect, count), pairs)
  }
  if (before.length > 1) {
    for (const [index, part] of before.slice(0, MAX_SINGLE_PARTS).entries()) {
      for (const aspect of aspects) alignGaps(part[aspect], after[index]?.[aspect] ?? [], pairs)
    }
  }
  pairInPlace(pairs, countBefore)
  return pairs
}

/**
 * The content by which measures are matched: everything, then only the music. Clef, key and time are in the
 * first measure, and move to another measure that is inserted before it.
 */
const aspects = ['all', 'music'] as const
type Aspect = (typeof aspects)[number]

/** A number for each measure, equal for equal content, and one number for all missing measures. */
type ContentNumbers = Record<Aspect, number[]>

function contentNumbers(part: Element, count: number, contents: Map<string, number>): ContentNumbers {
  const measures = measuresOf(part)
  const numberOf = (measure: Element | undefined, children: Element[] = []): number => {
    const content = measure ? contentOf({ ...measure, attributes: {}, children }) : ''
    const known = contents.get(content) ?? contents.size
    contents.set(content, known)
    return known
  }
  const all = Array.from({ length: count }, (_, index) =>
    numberOf(measures[index], measures[index]?.children),
  )
  const music = all.map((number, index) => {
    const measure = measures[index]
    const notes = measure?.children.filter(({ name }) => name !== 'attributes')
    return notes?.length === measure?.children.length ? number : numberOf(measure, notes)
  })
  return { all, music }
}

/** The content of an element without its layout. */
function contentOf(element: Element): string {
  if (element.name === 'print') return ''
  let content = `<${element.name}`
  for (const name in element.attributes) {
    if (!layoutAttributes.has(name)) content += ` ${name}=${JSON.stringify(element.attributes[name])}`
  }
  content += '>'
  for (const inner of element.children) content += contentOf(inner)
  return `${content}${element.children.length > 0 ? '' : JSON.stringify(element.text)}</>`
}

/** Combines the contents of all parts at each index. */
function combineContents(parts: readonly ContentNumbers[], aspect: Aspect, count: number): string[] {
  return Array.from({ length: count }, (_, index) => parts.map((part) => part[aspect][index]).join(' '))
}

/** Pairs equal measures in the remaining gaps. */
function alignGaps<Item>(before: readonly Item[], after: readonly Item[], pairs: number[]): void {
  for (const gap of gapsOf(pairs, before.length)) {
    const aligned = align(before.slice(gap.beforeStart, gap.beforeEnd), after.slice(gap.start, gap.end))
    for (const [index, at] of aligned.entries()) if (at >= 0) pairs[gap.start + index] = gap.beforeStart + at
  }
}

/** Measures between two that are the same are the same, changed, when there are as many as before. */
function pairInPlace(pairs: number[], countBefore: number): void {
  for (const gap of gapsOf(pairs, countBefore)) {
    if (gap.beforeEnd - gap.beforeStart !== gap.end - gap.start) continue
    for (let index = gap.start; index < gap.end; index++) pairs[index] = gap.beforeStart + index - gap.start
  }
}

/** The ranges without pairs on both sides. The ends are exclusive. */
function gapsOf(
  pairs: readonly number[],
  countBefore: number,
): Array<{ beforeStart: number; beforeEnd: number; start: number; end: number }> {
  const gaps: Array<{ beforeStart: number; beforeEnd: number; start: number; end: number }> = []
  let start = 0
  let beforeStart = 0
  for (let end = 0; end <= pairs.length; end++) {
    const beforeEnd = end === pairs.length ? countBefore : (pairs[end] ?? -1)
    if (beforeEnd < 0) continue
    if (end > start && beforeEnd > beforeStart) gaps.push({ beforeStart, beforeEnd, start, end })
    start = end + 1
    beforeStart = beforeEnd + 1
  }
  return gaps
}
