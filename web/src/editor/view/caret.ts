import type { ScoreDocument } from '../../../../src/music/model/document.ts'
import type { Position } from '../../../../src/music/editing/positions.ts'
import { eventAt, measureIn, partsIn } from '../../../../src/music/editing/reading.ts'
import { svgNamespace } from '../../score/sheet/engraved-page.ts'
import type { MusicLines } from './lines-view.ts'

/** A place on a line, in the units of its innermost `svg`. */
interface Place {
  readonly layer: SVGGElement
  readonly x: number
  readonly top: number
  readonly bottom: number
}

const notesOf = (root: Element, id: string): SVGGElement | null =>
  root.querySelector<SVGGElement>(`[data-note="${CSS.escape(id)}"]`)

/** The staff of a part within its measure on the page. */
function staffElement(document: ScoreDocument, at: Position, measure: Element): SVGGElement | undefined {
  let above = 0
  for (const { uuid, staves } of partsIn(document)) {
    if (uuid === at.part) break
    above += staves
  }
  return measure.querySelectorAll<SVGGElement>(':scope > .v-staff')[above + at.staff - 1]
}

/** The ends of the lines of a staff: from the first to the last line, and from the left to the right. */
function linesOf(staff: Element): { left: number; right: number; top: number; bottom: number } | undefined {
  const lines = [...staff.querySelectorAll(':scope > path')].flatMap((path) => {
    const numbers = (path.getAttribute('d') ?? '').match(/-?[\d.]+/g)?.map(Number) ?? []
    const [left, top, right] = numbers
    return left === undefined || top === undefined || right === undefined ? [] : [{ left, top, right }]
  })
  const [first] = lines
  const last = lines.at(-1)
  return first && last && { left: first.left, right: first.right, top: first.top, bottom: last.top }
}

/** Finds where a position of the score is on the page. */
function placeOf(document: ScoreDocument, at: Position, lines: MusicLines): Place | undefined {
  const svg = lines.lineOf(at.measure)?.svg
  const measure = svg?.querySelector<SVGGElement>(`[data-measure="${at.measure}"]`)
  const staff = measure && staffElement(document, at, measure)
  const box = staff && linesOf(staff)
  const layer = svg?.querySelector<SVGGElement>('.v-page-margin')
  if (!svg || !box || !layer) return undefined
  const id = eventAt(document, at)?.notes[0]?.id
  const note = id === undefined ? null : notesOf(svg, id)
  const head = note?.querySelector<SVGGElement>('.v-notehead') ?? note
  const length = measureIn(document, at.part, at.measure)?.length ?? 1
  const x = head
    ? head.getBBox().x
    : // A voice without notes: the beats are spread evenly behind clef and signatures.
      box.left + (box.right - box.left) * (0.15 + (0.85 * at.onset) / length)
  return { layer, x, top: box.top, bottom: box.bottom }
}

export interface CaretView {
  readonly element: SVGRectElement
  show(document: ScoreDocument, caret: Position, selected: readonly string[]): void
}

/** Draws the caret and colours the selected notes. */
export function createCaret(lines: MusicLines): CaretView {
  const element = document.createElementNS(svgNamespace, 'rect')
  element.classList.add('editor-caret')
  let marked: readonly Element[] = []
  return {
    element,
    show(score, caret, selected) {
      for (const one of marked) one.classList.remove('is-selected')
      marked = selected.flatMap((id) => {
        const svg = lines.lineOf(id.slice(0, 36))?.svg
        return svg ? (notesOf(svg, id) ?? []) : []
      })
      for (const one of marked) one.classList.add('is-selected')
      const place = placeOf(score, caret, lines)
      if (!place) return element.remove()
      const { layer, x, top, bottom } = place
      const space = (bottom - top) / 4 || 180
      const set = (values: Readonly<Record<string, number>>) => {
        for (const [name, value] of Object.entries(values)) element.setAttribute(name, String(value))
      }
      set({
        x: x - space * 0.5,
        y: top - 1.5 * space,
        width: space * 2.2,
        height: bottom - top + 3 * space,
        rx: space * 0.3,
      })
      layer.prepend(element)
    },
  }
}

/** Scrolls as little as needed to show the caret. */
export function scrollToCaret({ element }: CaretView): void {
  const line = element.closest('.editor-line')
  if (!line) return
  const { top, bottom } = line.getBoundingClientRect()
  const tools = document.querySelector('.editor-tools')?.getBoundingClientRect().bottom ?? 0
  const keys = document.querySelector('.editor-palette')?.getBoundingClientRect().top ?? innerHeight
  if (top < tools) scrollBy({ top: top - tools - 8, behavior: 'instant' })
  else if (bottom > keys) scrollBy({ top: Math.min(bottom - keys + 8, top - tools - 8), behavior: 'instant' })
}
