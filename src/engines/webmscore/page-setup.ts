import { child, childText, type Element, type ScoreDocument } from '../../music/model/document.ts'
import { leaf, node } from '../../music/model/element.ts'

/** Width and height in millimeters (ISO 216, ANSI Y14.1). */
const papers = { a4: [210, 297], letter: [215.9, 279.4] } as const satisfies Record<string, readonly number[]>

export type Paper = keyof typeof papers

/** How a score is set on pages, instead of as its file says. */
export interface PageSetup {
  readonly paper?: Paper | undefined
  /** The height of a staff of five lines, in millimeters. */
  readonly staffSize?: number | undefined
  /** `line` sets the whole score on one line. */
  readonly layout?: 'line' | undefined
  /** The paper of a score that has no page layout. A4 by default. */
  readonly defaultPaper?: Paper | undefined
}

/** What a file without a size means: the staff of the engine. Millimeters and tenths of a staff space. */
const usualScaling = { millimeters: 7, tenths: 40 }
const tenthsOfStaff = 40
/** Millimeters. */
const usualMargin = 15
/** The part of a page that the margins of a file may take on other paper. */
const mostMargin = 0.4
/** Children of a `print` that place systems and staves for the lines of the file. */
const placements: ReadonlySet<string> = new Set([
  'page-layout',
  'system-layout',
  'staff-layout',
  'measure-layout',
])
/** The children of `defaults` that precede `page-layout` (MusicXML 4.0). */
const beforePageLayout: ReadonlySet<string> = new Set(['scaling', 'concert-score'])

/**
 * Sets a score on other paper or with other staves. Sizes in a file count from the size of its staves, so with other staves the
 * page has another number of tenths. The margins and the distances of credits from the edges stay as they are in
 * millimeters. Breaks of systems and pages were made for the old page, so they are left out.
 * The document stays as it is if nothing is to be changed.
 */
export function withPageSetup(document: ScoreDocument, setup: PageSetup): ScoreDocument {
  const defaults = child(document.root, 'defaults')
  const layout = defaults && child(defaults, 'page-layout')
  const wanted = setup.paper ?? (layout ? undefined : setup.defaultPaper)
  if (setup.staffSize === undefined && (wanted === undefined || (wanted === 'a4' && !setup.paper)))
    return document
  const old = pageOf(defaults, layout)
  const millimeters = setup.staffSize ?? old.tenth * tenthsOfStaff
  const tenth = millimeters / tenthsOfStaff
  const paper = wanted ? sheetOf(wanted, old) : layout ? old : sheetOf(setup.defaultPaper ?? 'a4', old)
  const page = { width: paper.width, height: paper.height, tenth }
  const scaling = node('scaling', [leaf('millimeters', rounded(millimeters)), leaf('tenths', tenthsOfStaff)])
  const others = (defaults?.children ?? []).filter(({ name }) => name !== 'scaling' && name !== 'page-layout')
  const place = others.findIndex(({ name }) => !beforePageLayout.has(name))
  const changed = node('defaults', [
    scaling,
    ...others.toSpliced(place < 0 ? others.length : place, 0, pageLayout(page, old, layout)),
  ])
  const children = document.root.children.map((element) => {
    if (element === defaults) return changed
    if (element.name === 'credit') return withMovedCredit(element, old, page)
    return element.name === 'part' ? withoutPlacements(element) : element
  })
  if (!defaults) children.splice(placeOfDefaults(children), 0, changed)
  return { root: { ...document.root, children } }
}

/** Where `defaults` stands among the children of a score. */
export function placeOfDefaults(children: readonly Element[]): number {
  return children.findIndex(({ name }) => name === 'credit' || name === 'part-list')
}

/** A page in millimeters, and the size of a tenth. */
interface Page {
  readonly width: number
  readonly height: number
  readonly tenth: number
}

const rounded = (value: number): string => String(Math.round(value * 1000) / 1000)

function positive(element: Element | undefined, name: string): number | undefined {
  const value = Number(element && childText(element, name))
  return value > 0 ? value : undefined
}

function pageOf(defaults: Element | undefined, layout: Element | undefined): Page {
  const scaling = defaults && child(defaults, 'scaling')
  const millimeters = positive(scaling, 'millimeters') ?? usualScaling.millimeters
  const tenth = millimeters / (positive(scaling, 'tenths') ?? usualScaling.tenths)
  const [width, height] = papers.a4
  return {
    width: (positive(layout, 'page-width') ?? width / tenth) * tenth,
    height: (positive(layout, 'page-height') ?? height / tenth) * tenth,
    tenth,
  }
}

/** The sheet lies on the side that the page of the file lies on. */
function sheetOf(paper: Paper, old: Page): { readonly width: number; readonly height: number } {
  const [width, height] = papers[paper]
  return old.width > old.height ? { width: height, height: width } : { width, height }
}

function pageLayout(page: Page, old: Page, layout: Element | undefined): Element {
  const lists = (layout?.children ?? []).filter(({ name }) => name === 'page-margins')
  const margins = lists.length > 0 ? lists : [node('page-margins', [], { type: 'both' })]
  return node('page-layout', [
    leaf('page-height', rounded(page.height / page.tenth)),
    leaf('page-width', rounded(page.width / page.tenth)),
    ...margins.map((list) => {
      const sides = ['left', 'right', 'top', 'bottom'].map((side, index) => {
        const own = Number(childText(list, `${side}-margin`) ?? Number.NaN) * old.tenth
        const most = (index < 2 ? page.width : page.height) * mostMargin
        return leaf(`${side}-margin`, rounded((own >= 0 && own <= most ? own : usualMargin) / page.tenth))
      })
      return node('page-margins', sides, list.attributes)
    }),
  ])
}

/** A credit in the upper half keeps its distance from the upper edge, another one from the lower edge. */
function withMovedCredit(credit: Element, old: Page, page: Page): Element {
  const move = (element: Element): Element => {
    const { 'default-x': x, 'default-y': y } = element.attributes
    const moved: Record<string, string> = {}
    if (Number.isFinite(Number(x ?? Number.NaN)))
      moved['default-x'] = rounded((Number(x) * old.tenth * page.width) / old.width / page.tenth)
    const height = Number(y ?? Number.NaN) * old.tenth
    if (Number.isFinite(height))
      moved['default-y'] = rounded(
        (height > old.height / 2 ? page.height - old.height + height : height) / page.tenth,
      )
    return { ...element, attributes: { ...element.attributes, ...moved } }
  }
  return { ...credit, children: credit.children.map(move) }
}

export function withoutPlacements(part: Element): Element {
  const withoutOwn = (one: Element): Element => {
    if (one.name !== 'print') return one
    const { 'new-system': _, 'new-page': __, 'staff-spacing': ___, ...attributes } = one.attributes
    return { ...one, attributes, children: one.children.filter(({ name }) => !placements.has(name)) }
  }
  const children = part.children.map((measure) =>
    measure.children.some(({ name }) => name === 'print')
      ? { ...measure, children: measure.children.map(withoutOwn) }
      : measure,
  )
  return { ...part, children }
}
