import {
  child,
  childText,
  type Element,
  measuresOf,
  partsOf,
  type ScoreDocument,
} from '../../music/model/document.ts'
import { leaf, node } from '../../music/model/element.ts'
import type { MeasureBox } from './measure-ids.ts'
import { placeOfDefaults, withoutPlacements } from './page-setup.ts'

/** Millimeters. Generous estimates, because the page is cut to the music: a line that is too short would become two. */
const room = { note: 16, measure: 30, line: 200 } as const
/** Millimeters. The longest line that the engine sets: about 400 full measures. What is longer gets more lines. */
const longestLine = 60_000
/** Millimeters. */
const height = 2000
const margin = 15
const usualStaff = { millimeters: 7, tenths: 40 }

/** Children of a score that are printed above or below the music. */
const printed: ReadonlySet<string> = new Set([
  'work',
  'movement-number',
  'movement-title',
  'identification',
  'credit',
])

/**
 * Sets a score on one line: on a page that is wider than the music, without titles and breaks. The engine has no layout of its own for
 * this.
 */
export function onOneLine(document: ScoreDocument): ScoreDocument {
  const defaults = child(document.root, 'defaults')
  const scaling = defaults && child(defaults, 'scaling')
  const staff = Number(scaling && childText(scaling, 'millimeters')) || usualStaff.millimeters
  const tenths = Number(scaling && childText(scaling, 'tenths')) || usualStaff.tenths
  const inTenths = (millimeters: number) => Math.round((millimeters * tenths) / staff)
  const width = Math.min(longestLine, lengthOf(document) * (staff / usualStaff.millimeters))
  const layout = node('page-layout', [
    leaf('page-height', inTenths(height)),
    leaf('page-width', inTenths(width)),
    node(
      'page-margins',
      ['left', 'right', 'top', 'bottom'].map((side) => leaf(`${side}-margin`, inTenths(margin))),
      { type: 'both' },
    ),
  ])
  const others = (defaults?.children ?? []).filter(({ name }) => name !== 'scaling' && name !== 'page-layout')
  const own = node('defaults', [
    node('scaling', [leaf('millimeters', staff), leaf('tenths', tenths)]),
    ...others.filter(({ name }) => name === 'concert-score'),
    layout,
    ...others.filter(({ name }) => name !== 'concert-score'),
  ])
  const children = document.root.children.flatMap((element): Element[] => {
    if (element === defaults || printed.has(element.name)) return []
    return [element.name === 'part' ? withoutPlacements(element) : element]
  })
  return { root: { ...document.root, children: children.toSpliced(placeOfDefaults(children), 0, own) } }
}

/** The length of the music in millimeters, with usual staves. */
function lengthOf(document: ScoreDocument): number {
  const lengths: number[] = []
  for (const part of partsOf(document))
    for (const [index, measure] of measuresOf(part).entries()) {
      const notes = measure.children.filter(({ name }) => name === 'note' || name === 'harmony').length
      lengths[index] = Math.max(lengths[index] ?? 0, room.measure + notes * room.note)
    }
  return lengths.reduce((sum, length) => sum + length, room.line)
}

/** Units of the SVG around the staves: the margin, and what is written below the lowest staff. */
const around = { right: 60, below: 260 } as const

/** Cuts an engraved page to its music. */
export function cutToMusic(svg: string, boxes: readonly MeasureBox[]): string {
  const right = Math.max(...boxes.map(({ x, sx }) => x + sx)) + around.right
  const bottom = Math.max(...boxes.map(({ y, sy }) => y + sy)) + around.below
  if (!Number.isFinite(right) || !Number.isFinite(bottom)) return svg
  const [width, depth] = [right, bottom].map((units) => Math.round(units * 100) / 100)
  return svg.replace(
    /<svg width="[^"]*" height="[^"]*" viewBox="[^"]*"/,
    () => `<svg width="${width}px" height="${depth}px" viewBox="0 0 ${width} ${depth}"`,
  )
}
