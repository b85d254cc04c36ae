import {
  child,
  childrenNamed,
  childText,
  measuresOf,
  partsOf,
  type ScoreDocument,
} from '../../music/model/document.ts'
import { notesIn } from './note-colors.ts'

/** The identity of a part and of its measures, the notes and rests in each measure, and the lines of each staff. */
export interface PartIds {
  readonly uuid: string
  readonly staves: readonly number[]
  readonly measures: readonly string[]
  readonly notes: readonly number[]
}

/** Where the engine has set a measure of all parts: its page, from 0, and its box, in the units of the SVG. */
export interface MeasureBox {
  readonly page: number
  readonly x: number
  readonly y: number
  readonly sx: number
  readonly sy: number
}

const usualLines = 5
/** Units of the SVG, a fraction of a staff space. */
const tolerance = 2
/** Units of the SVG: two staff spaces. A staff of one line has no height of its own. */
const leastHeight = 50

/** The identities in a document that has them. */
export function partIdsOf(document: ScoreDocument): PartIds[] {
  return partsOf(document).map((part) => {
    const measures = measuresOf(part)
    const attributes = measures[0] && child(measures[0], 'attributes')
    const count = Math.max(1, Number(attributes && childText(attributes, 'staves')) || 1)
    const staves = new Array<number>(count).fill(usualLines)
    for (const details of attributes ? childrenNamed(attributes, 'staff-details') : []) {
      const lines = Number(childText(details, 'staff-lines'))
      const staff = Number(details.attributes.number ?? 1)
      if (lines > 0 && staff <= count) staves[staff - 1] = lines
    }
    return {
      uuid: part.uuid ?? '',
      staves,
      measures: measures.map(({ uuid }) => uuid ?? ''),
      notes: measures.map(notesIn),
    }
  })
}

/**
 * Adds an invisible rectangle to a page for each measure of each part. Its id is the uuid of the measure, and `data-part` the uuid
 * of the part. A rectangle covers the staves of its part; if the engine has hidden staves, all staves. Returns the page
 * unchanged if the engine has joined rests of several measures, because it does not tell which ones.
 * @param svg a page that the engine drew
 * @param page from 0
 */
export function withMeasureIds(
  svg: string,
  page: number,
  boxes: readonly MeasureBox[],
  parts: readonly PartIds[],
): string {
  if (parts.some(({ measures }) => measures.length !== boxes.length)) return svg
  const lines = staffLinesIn(svg)
  const marks: string[] = []
  for (const [index, box] of boxes.entries()) {
    if (box.page !== page) continue
    const bands = bandsOf(box, lines, parts)
    for (const [part, { uuid, measures }] of parts.entries()) {
      const [top, bottom] = bands[part] ?? [box.y, box.y + box.sy]
      const place = [box.x, top, box.sx, bottom - top].map((value) => Math.round(value * 100) / 100)
      const [x, y, width, height] = place
      marks.push(
        `<rect id="${measures[index]}" class="Measure" data-part="${uuid}" x="${x}" y="${y}" width="${width}" height="${height}"/>`,
      )
    }
  }
  const group = `<g fill="none" stroke="none" pointer-events="all">\n${marks.join('\n')}\n</g>\n`
  return svg.replace(/<\/svg>\s*$/, () => `${group}</svg>\n`)
}

interface StaffLine {
  readonly left: number
  readonly right: number
  readonly y: number
}

function staffLinesIn(svg: string): StaffLine[] {
  const points = svg.matchAll(/class="StaffLines"[^>]*points="([\d.-]+),([\d.-]+) ([\d.-]+),/g)
  return [...points].map(([, left, y, right]) => ({ left: Number(left), y: Number(y), right: Number(right) }))
}

/** The top and bottom of each part at a measure; empty if the lines there are not those of all parts. */
function bandsOf(
  { x, y, sx, sy }: MeasureBox,
  lines: readonly StaffLine[],
  parts: readonly PartIds[],
): (readonly [top: number, bottom: number])[] {
  const middle = x + sx / 2
  const isHere = (line: StaffLine) =>
    line.left <= middle && line.right >= middle && line.y >= y - tolerance && line.y <= y + sy + tolerance
  const heights = [...new Set(lines.filter(isHere).map((line) => line.y))].sort((a, b) => a - b)
  const counts = parts.map(({ staves }) => staves.reduce((sum, count) => sum + count, 0))
  if (counts.reduce((sum, count) => sum + count, 0) !== heights.length) return []
  let from = 0
  return counts.map((count) => {
    const [top = y, bottom = top] = [heights[from], heights[from + count - 1]]
    from += count
    const missing = Math.max(0, leastHeight - (bottom - top)) / 2
    return [top - missing, bottom + missing] as const
  })
}
