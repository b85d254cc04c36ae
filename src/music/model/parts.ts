import { fail } from '../../errors.ts'
import { childrenNamed, type Element, partsOf, type ScoreDocument } from './document.ts'

/** The uuids of the parts in score order. The document must have passed `identify`. */
export function partUuidsOf(document: ScoreDocument): string[] {
  return partsOf(document).flatMap(({ uuid }) => uuid ?? [])
}

/**
 * Returns the score with only these parts, in score order. Its part list keeps their entries and the groups
 * that still contain one. The result shares elements with the given document, which is not changed.
 * @throws INVALID_PARAMETER (`parts`) for an unknown uuid, or for an empty list
 */
export function selectParts(document: ScoreDocument, uuids: readonly string[]): ScoreDocument {
  const missing = new Set(uuids)
  const parts = partsOf(document)
  const selected = new Set(parts.filter((part) => part.uuid !== undefined && missing.has(part.uuid)))
  for (const part of selected) missing.delete(part.uuid ?? '')
  const [unknown] = missing
  if (unknown !== undefined)
    fail('INVALID_PARAMETER', { param: 'parts', message: `The score has no part ${unknown}.` })
  if (selected.size === 0)
    fail('INVALID_PARAMETER', { param: 'parts', message: 'At least one part is needed.' })
  const children = document.root.children
    .filter((element) => element.name !== 'part' || selected.has(element))
    .map((element) => (element.name === 'part-list' ? prunedPartList(element, parts, selected) : element))
  return { root: { ...document.root, children } }
}

function prunedPartList(list: Element, parts: readonly Element[], selected: ReadonlySet<Element>): Element {
  const byId = new Map(parts.map((part) => [part.attributes.id, part]))
  const keptEntries = new Set(
    childrenNamed(list, 'score-part').filter((entry, index) => {
      // A part without an id can only be matched by its position.
      const atPosition = parts[index]?.attributes.id === undefined ? parts[index] : undefined
      const part =
        entry.attributes.id === undefined ? parts[index] : (byId.get(entry.attributes.id) ?? atPosition)
      return part !== undefined && selected.has(part)
    }),
  )
  const children = list.children.filter(
    (element) => element.name !== 'score-part' || keptEntries.has(element),
  )
  const empty = emptyGroups(children)
  return { ...list, children: children.filter((element) => !empty.has(element)) }
}

/** The starts and stops of the groups without a part in between. Groups overlap, and a number is used again. */
function emptyGroups(list: readonly Element[]): Set<Element> {
  const empty = new Set<Element>()
  const open = new Map<string, { start: Element; parts: number }>()
  let parts = 0
  for (const element of list) {
    if (element.name === 'score-part') parts += 1
    if (element.name !== 'part-group') continue
    const number = element.attributes.number ?? '1'
    if (element.attributes.type === 'start') open.set(number, { start: element, parts })
    else {
      const group = open.get(number)
      open.delete(number)
      if (group === undefined || group.parts < parts) continue
      empty.add(group.start)
      empty.add(element)
    }
  }
  for (const group of open.values()) if (group.parts === parts) empty.add(group.start)
  return empty
}
