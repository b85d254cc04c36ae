import { creditsOf, type ScoreCredits } from './credits.ts'
import { child, childText, type Element, type ScoreDocument } from './document.ts'
import { leaf, node } from './element.ts'

/** Where a credit is printed on the first page: the distance from the upper margin in tenths, and its look. */
const places = {
  title: { below: 0, justify: 'center', size: 22 },
  subtitle: { below: 45, justify: 'center', size: 14 },
  composer: { below: 58, justify: 'right', size: 10 },
  lyricist: { below: 58, justify: 'left', size: 10 },
  arranger: { below: 84, justify: 'right', size: 10 },
} as const satisfies Record<keyof ScoreCredits, object>

/** An A4 page in millimeters. */
const paper = { height: 297, width: 210, margin: 14 }
const usualScaling = { millimeters: 7, tenths: 40 }

/** An A4 page in tenths, of which 40 are the height of a staff. */
function usualPageOf(defaults: Element | undefined): typeof paper {
  const scaling = defaults && child(defaults, 'scaling')
  const millimeters = Number(scaling && childText(scaling, 'millimeters')) || usualScaling.millimeters
  const tenths = Number(scaling && childText(scaling, 'tenths')) || usualScaling.tenths
  const inTenths = (length: number) => Math.round((length * tenths) / millimeters)
  return { height: inTenths(paper.height), width: inTenths(paper.width), margin: inTenths(paper.margin) }
}

/** Returns a credit that is printed in its usual place on the first page. */
export function headerCredit(document: ScoreDocument, role: keyof ScoreCredits, text: string): Element {
  const { below, justify, size } = places[role]
  const { height, width, margin } = pageOf(document)
  const x = justify === 'center' ? width / 2 : justify === 'right' ? width - margin : margin
  return node(
    'credit',
    [
      leaf('credit-type', role),
      leaf('credit-words', text, {
        'default-x': String(Math.round(x)),
        'default-y': String(Math.round(height - margin - below)),
        'font-size': String(size),
        justify,
        valign: 'top',
      }),
    ],
    { page: '1' },
  )
}

/**
 * Returns a document that prints its subtitle and its arranger. An engraver prints the metadata of a document without printed
 * credits, but of these only the title, the composer and the lyricist. The credits of such a document become printed ones.
 */
export function withPrintedHeader(document: ScoreDocument): ScoreDocument {
  const { children } = document.root
  const credits = creditsOf(document)
  if (credits.subtitle === undefined && credits.arranger === undefined) return document
  if (children.some(({ name }) => name === 'credit')) return document
  const sized = withPageSize(children)
  const result = { root: { ...document.root, children: sized } }
  const roles = Object.keys(places) as (keyof ScoreCredits)[]
  const header = roles.flatMap((role) => {
    const text = credits[role]
    return text === undefined ? [] : [headerCredit(result, role, text)]
  })
  const place = sized.findIndex(({ name }) => name === 'part-list')
  result.root.children = sized.toSpliced(place, 0, ...header)
  return result
}

function pageOf({ root }: ScoreDocument): typeof paper {
  const defaults = child(root, 'defaults')
  const usual = usualPageOf(defaults)
  const layout = defaults && child(defaults, 'page-layout')
  const height = Number(layout && childText(layout, 'page-height'))
  const width = Number(layout && childText(layout, 'page-width'))
  return height > 0 && width > 0 ? { ...usual, height, width } : usual
}

/** Adds a page size to the defaults, because positions on a page without a size mean nothing. */
function withPageSize(children: readonly Element[]): Element[] {
  const defaults = children.find(({ name }) => name === 'defaults')
  const { height, width, margin } = usualPageOf(defaults)
  const margins = ['left', 'right', 'top', 'bottom'].map((side) => leaf(`${side}-margin`, margin))
  const layout = node('page-layout', [
    leaf('page-height', height),
    leaf('page-width', width),
    node('page-margins', margins, { type: 'both' }),
  ])
  if (!defaults) {
    const { millimeters, tenths } = usualScaling
    const scaling = node('scaling', [leaf('millimeters', millimeters), leaf('tenths', tenths)])
    const place = children.findIndex(({ name }) => name === 'part-list')
    return children.toSpliced(place, 0, node('defaults', [scaling, layout]))
  }
  if (child(defaults, 'page-layout')) return [...children]
  const before = ['scaling', 'concert-score']
  const place = defaults.children.findIndex(({ name }) => !before.includes(name))
  const at = place < 0 ? defaults.children.length : place
  const sized = { ...defaults, children: defaults.children.toSpliced(at, 0, layout) }
  return children.map((element) => (element === defaults ? sized : element))
}
