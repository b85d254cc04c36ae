import {
  child,
  childrenNamed,
  type Element,
  measuresOf,
  partsOf,
  type ScoreDocument,
} from '../../../../src/music/model/document.ts'
import { node } from '../../../../src/music/model/element.ts'
import { noteIdOf } from '../../../../src/music/model/note-ids.ts'
import { elementXml } from '../../../../src/music/formats/musicxml/write.ts'

/** Measures that follow each other: indices, the end is exclusive. */
export interface MeasureRange {
  readonly from: number
  readonly to: number
}

/** The id of a measure on the page. */
const measureIdOf = (uuid: string): string => `measure-${uuid}`

/**
 * Writes a score for the engraver: with ids for measures, notes and rests, and without what concerns pages of paper.
 * @param range writes only these measures, with the clefs and keys that hold there
 */
export function engravingXml(document: ScoreDocument, range?: MeasureRange): string {
  const list = child(document.root, 'part-list')
  const parts = partsOf(document).map((part, place) => {
    const measures = measuresOf(part)
    const { from, to } = range ?? { from: 0, to: measures.length }
    const written = measures
      .slice(from, to)
      .map((measure, at) =>
        at === 0 && from > 0
          ? measureXml(withStart(measure, measures.slice(0, from)), part.uuid ?? '', place)
          : cachedXml(measure, part.uuid ?? '', place),
      )
    return `<part id="${part.attributes.id ?? ''}">${written.join('')}</part>`
  })
  return `<?xml version="1.0"?><score-partwise version="4.0">${list ? elementXml(list, '\n') : ''}${parts.join('')}</score-partwise>`
}

/** An operation replaces the measures that it changes, so a measure is written once. */
const written = new WeakMap<Element, string>()

function cachedXml(measure: Element, part: string, place: number): string {
  const known = written.get(measure)
  if (known !== undefined) return known
  const xml = measureXml(measure, part, place)
  written.set(measure, xml)
  return xml
}

function measureXml(measure: Element, part: string, place: number): string {
  const { uuid = '' } = measure
  let index = -1
  const children = measure.children.flatMap((element) => {
    if (element.name === 'print') return []
    if (element.name !== 'note') return [element]
    index += 1
    return [{ ...element, attributes: { ...element.attributes, id: noteIdOf(uuid, part, index) } }]
  })
  // An id occurs once: the measures of the first part have it.
  const attributes = place === 0 ? { ...measure.attributes, id: measureIdOf(uuid) } : measure.attributes
  return elementXml({ ...measure, attributes, children }, '\n')
}

/** The children of `attributes` in their order, as far as they hold until another one comes. */
const lasting = [
  'divisions',
  'key',
  'time',
  'staves',
  'part-symbol',
  'clef',
  'staff-details',
  'transpose',
] as const

/** Returns the measure with all that holds at its start, because the measures before it are not there. */
function withStart(measure: Element, before: readonly Element[]): Element {
  const inForce = new Map<string, Element>()
  const add = (attributes: Element) => {
    for (const one of attributes.children) inForce.set(`${one.name} ${one.attributes.number ?? ''}`, one)
  }
  for (const one of before) for (const attributes of childrenNamed(one, 'attributes')) add(attributes)
  const [first, ...rest] = measure.children
  const own = first?.name === 'attributes' ? first : undefined
  if (own) add(own)
  const showsTime = own !== undefined && child(own, 'time') !== undefined
  const children = lasting.flatMap((name) =>
    [...inForce.values()]
      .filter((one) => one.name === name)
      .map((one) =>
        name === 'time' && !showsTime
          ? { ...one, attributes: { ...one.attributes, 'print-object': 'no' } }
          : one,
      ),
  )
  return { ...measure, children: [node('attributes', children), ...(own ? rest : measure.children)] }
}
