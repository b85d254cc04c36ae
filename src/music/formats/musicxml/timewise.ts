import { fail } from '../../../errors.ts'
import { type Element, newAttributes } from '../../model/document.ts'
import { excerpt, MAX_MEASURES_OF_PARTS } from '../../model/limits.ts'
import type { Repairs } from '../repairs.ts'

/**
 * Converts a `score-timewise` (measures that contain parts) into a `score-partwise` (parts that contain
 * measures), as MusicXML's timepart.xsl does: each part repeats the attributes of the measure. A part that is
 * missing in a measure gets an empty one, so that measures with the same index stay the same measure of the
 * score. An element beside the parts of a measure, such as a page break, goes into the next part of the measure, or the last
 * one.
 * @throws INVALID_MUSICXML if the parts have too many measures together
 */
export function partwiseOf(timewise: Element, repairs: Repairs): Element {
  const columns = timewise.children.filter((child) => child.name === 'measure')
  const rows = new Map<string, Array<Element | undefined>>()
  for (const [index, column] of columns.entries()) {
    const occurrences = new Map<string, number>()
    for (const written of partsOnly(column, index, repairs)) {
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

/** The parts of a measure, with the elements that stand beside them. */
function partsOnly(measure: Element, index: number, repairs: Repairs): Element[] {
  const parts: Element[] = []
  let beside: Element[] = []
  for (const child of measure.children) {
    if (child.name === 'part') {
      parts.push(beside.length > 0 ? { ...child, children: [...beside, ...child.children], text: '' } : child)
      beside = []
    } else {
      beside.push(child)
      repairs.add(
        `Measure ${index + 1} of the time-wise score has <${excerpt(child.name)}> beside its parts. It was put into a part.`,
      )
    }
  }
  const last = parts.pop()
  if (last !== undefined)
    parts.push(beside.length > 0 ? { ...last, children: [...last.children, ...beside] } : last)
  return parts
}

/** Builds one part from its content in each measure. */
function partOf(row: ReadonlyArray<Element | undefined>, columns: readonly Element[]): Element {
  const attributes = newAttributes()
  const children = columns.map((column, index): Element => {
    const written = row[index]
    Object.assign(attributes, written?.attributes)
    return { ...column, children: written?.children ?? [], text: written?.text ?? '' }
  })
  return { name: 'part', attributes, children, text: '' }
}

function refuse(problem: string): never {
  return fail('INVALID_MUSICXML', { message: `${problem}.` })
}
