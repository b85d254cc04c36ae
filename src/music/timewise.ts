import { fail } from '../errors.ts'
import { type Element, newAttributes } from './document.ts'
import { MAX_MEASURES_OF_PARTS } from './score-limits.ts'

/**
 * Turns a `score-timewise` (measures that hold parts) into the `score-partwise` (parts that hold measures) of the same
 * music, as MusicXML's own timepart.xsl does: each part repeats the attributes of the measure. A part that is missing
 * in a measure gets an empty one, so that measures of the same index stay the same measure of the score.
 * Fails with INVALID_MUSICXML when a measure holds anything but parts, for which part-wise scores have no place.
 */
export function partwiseOf(timewise: Element): Element {
  const columns = timewise.children.filter((child) => child.name === 'measure')
  const rows = new Map<string, Array<Element | undefined>>()
  for (const [index, column] of columns.entries()) {
    const occurrences = new Map<string, number>()
    for (const written of column.children) {
      if (written.name !== 'part') {
        refuse(`Measure ${index + 1} of the time-wise score holds <${written.name}>, not parts only`)
      }
      const id = written.attributes.id ?? ''
      const occurrence = occurrences.get(id) ?? 0
      occurrences.set(id, occurrence + 1)
      const key = `${occurrence} ${id}`
      const row = rows.get(key) ?? []
      row[index] = written
      rows.set(key, row)
      if (rows.size * columns.length > MAX_MEASURES_OF_PARTS) {
        const measures = `more than ${MAX_MEASURES_OF_PARTS} measures in ${rows.size} parts`
        refuse(`Up to measure ${index + 1} of its ${columns.length}, the time-wise score has ${measures}`)
      }
    }
  }
  const header = timewise.children.filter((child) => child.name !== 'measure')
  const parts = [...rows.values()].map((row) => partOf(row, columns))
  return { ...timewise, name: 'score-partwise', children: [...header, ...parts] }
}

/** One part, from what each measure holds of it. */
function partOf(row: ReadonlyArray<Element | undefined>, columns: readonly Element[]): Element {
  const attributes = newAttributes()
  const children = columns.map((column, index): Element => {
    const written = row[index]
    Object.assign(attributes, written?.attributes)
    return { ...column, children: written?.children ?? [], text: written?.text ?? '' }
  })
  return { name: 'part', attributes, children, text: '' }
}

function refuse(what: string): never {
  return fail('INVALID_MUSICXML', { message: `${what}.` })
}
