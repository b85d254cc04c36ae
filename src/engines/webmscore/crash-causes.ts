import { child, type Element } from '../../music/model/document.ts'
import { leaf } from '../../music/model/element.ts'
import { withCompleteTuplets } from './tuplets.ts'

/**
 * Changes what the engine crashes on or never ends with, in a part, the list of parts, or any other child of the score.
 * - Wavy lines of the last measure: one that ends on a grace note or a tuplet there makes the engine divide by zero.
 * - Tuplet notes without a type.
 * - An unpitched note without a position on the staff. It gets the middle line, as MusicXML says.
 * - A group of parts without a part.
 * - The name of a drum with a letter of Latin-1. It is never printed.
 */
export function withoutCrashCauses(element: Element): Element {
  if (element.name === 'part-list') return withoutEmptyGroups(element)
  if (element.name !== 'part') return element
  const last = element.children.length - 1
  const children = element.children.map((measure, index) =>
    withPlacedNotes(index === last ? withoutWavyLines(measure) : measure),
  )
  return withCompleteTuplets({ ...element, children })
}

function withoutWavyLines(element: Element): Element {
  return {
    ...element,
    children: element.children.filter(({ name }) => name !== 'wavy-line').map(withoutWavyLines),
  }
}

function withPlacedNotes(measure: Element): Element {
  if (!measure.children.some(isUnplaced)) return measure
  const placed = [leaf('display-step', 'B'), leaf('display-octave', 4)]
  const place = (one: Element) => (one.name === 'unpitched' ? { ...one, children: placed } : one)
  const children = measure.children.map((one) =>
    isUnplaced(one) ? { ...one, children: one.children.map(place) } : one,
  )
  return { ...measure, children }
}

function isUnplaced(note: Element): boolean {
  const unpitched = note.name === 'note' ? child(note, 'unpitched') : undefined
  return unpitched !== undefined && !child(unpitched, 'display-step')
}

function withoutEmptyGroups(list: Element): Element {
  const children: Element[] = []
  for (const one of list.children) {
    const start = one.attributes.type === 'stop' ? startOfEmptyGroup(children, one) : -1
    if (start >= 0) children.splice(start, 1)
    else children.push(one.name === 'score-part' ? withAsciiInstruments(one) : one)
  }
  return { ...list, children }
}

/** The place of the start of a group that ends here, if no part has followed it; otherwise -1. */
function startOfEmptyGroup(before: readonly Element[], stop: Element): number {
  const start = before.findLastIndex(
    ({ name, attributes }) =>
      name === 'part-group' && attributes.type === 'start' && attributes.number === stop.attributes.number,
  )
  return before.slice(start).some(({ name }) => name === 'score-part') ? -1 : start
}

function withAsciiInstruments(scorePart: Element): Element {
  const toAscii = (one: Element) =>
    one.name === 'instrument-name' ? { ...one, text: asciiOf(one.text) } : one
  const children = scorePart.children.map((one) =>
    one.name === 'score-instrument' ? { ...one, children: one.children.map(toAscii) } : one,
  )
  return { ...scorePart, children }
}

const asciiOf = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]/gu, '?')
