import { fail } from '../errors.ts'
import { type Element, newAttributes } from './document.ts'

/**
 * Turns a `score-timewise` (measures that hold parts) into the `score-partwise` (parts that hold measures) of the same
 * music, as MusicXML's own timepart.xsl does: each part repeats the attributes of the measure. A part that is missing
 * in a measure gets an empty one, so that measures of the same index stay the same measure of the score.
 * Fails with INVALID_MUSICXML when a measure holds anything but parts, for which part-wise scores have no place.
 */
export function partwiseOf(timewise: Element): Element {
  const columns = timewise.children.filter((child) => child.name === 'measure')
  const parts = new Map<string, Element>()
  for (const [index, column] of columns.entries()) {
    const occurrences = new Map<string, number>()
    for (const written of column.children) {
      if (written.name !== 'part') {
        fail('INVALID_MUSICXML', {
          message: `Measure ${index + 1} of the time-wise score holds <${written.name}>, not parts only.`,
        })
      }
      const id = written.attributes.id ?? ''
      const occurrence = occurrences.get(id) ?? 0
      occurrences.set(id, occurrence + 1)
      const key = `${occurrence} ${id}`
      const part: Element = parts.get(key) ?? { name: 'part', attributes: newAttributes(), children: [], text: '' }
      parts.set(key, part)
      Object.assign(part.attributes, written.attributes)
      fillUpTo(part, index, columns)
      part.children.push(measureOf(column, written))
    }
  }
  for (const part of parts.values()) fillUpTo(part, columns.length, columns)
  const header = timewise.children.filter((child) => child.name !== 'measure')
  return { ...timewise, name: 'score-partwise', children: [...header, ...parts.values()] }
}

function fillUpTo(part: Element, index: number, columns: readonly Element[]): void {
  for (const column of columns.slice(part.children.length, index)) part.children.push(measureOf(column))
}

function measureOf(column: Element, written?: Element): Element {
  return {
    name: 'measure',
    attributes: column.attributes,
    children: written?.children ?? [],
    text: written?.text ?? '',
  }
}
