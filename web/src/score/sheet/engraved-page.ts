export const svgNamespace = 'http://www.w3.org/2000/svg'

/** The elements and attributes that an engraved page consists of. Nothing else is taken over. */
export const elements: ReadonlySet<string> = new Set([
  ...['g', 'path', 'polyline', 'polygon', 'line', 'rect', 'circle', 'ellipse', 'text', 'tspan'],
])
export const attributes: ReadonlySet<string> = new Set([
  ...['d', 'points', 'x', 'y', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'r', 'rx', 'ry', 'width', 'height'],
  ...[
    'transform',
    'fill',
    'fill-rule',
    'fill-opacity',
    'opacity',
    'stroke',
    'stroke-width',
    'stroke-opacity',
  ],
  ...['stroke-linejoin', 'stroke-linecap', 'stroke-dasharray', 'pointer-events'],
  ...['font-family', 'font-size', 'font-style', 'font-weight', 'text-anchor'],
])
/** Ink is in the colour of the text of the page, which dark paper makes light. */
const black: ReadonlySet<string> = new Set(['#000000', '#000', 'black'])
/** What covers other ink is in the colour of the paper. */
const white: ReadonlySet<string> = new Set(['#ffffff', '#fff', 'white'])

/** A page of a score as nodes of this document. */
export interface EngravedPage {
  readonly svg: SVGSVGElement
  /** The width of the page, in its own units. */
  readonly width: number
  readonly height: number
}

/**
 * Reads a page that the server engraved. The texts of a score come from its author, so the page is built anew of the elements and
 * attributes that an engraving needs: no scripts, styles, links, pictures or foreign elements. The ids become data: `data-measure`
 * has the uuid of a measure, with `data-part`, and `data-note` the id of a note.
 * @throws Error if it is no SVG
 */
export function readEngravedPage(text: string): EngravedPage {
  const root = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement
  if (root.namespaceURI !== svgNamespace || root.localName !== 'svg') throw new Error('This is not an SVG.')
  const [, , width = 0, height = 0] = (root.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number)
  if (!(width > 0 && height > 0)) throw new Error('The page has no size.')
  const svg = document.createElementNS(svgNamespace, 'svg')
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`)
  for (const child of root.children) append(child, svg)
  // The boxes of the measures go below the ink, so that the pointer finds the notes on them.
  const boxes = svg.querySelector('[data-measure]')?.parentElement
  if (boxes) behindInk(svg, boxes)
  return { svg, width, height }
}

/** Puts an element on the paper, below the ink. */
export function behindInk(svg: SVGSVGElement, element: Element): void {
  const [background] = svg.children
  if (background?.classList.contains('sheet-paper')) background.after(element)
  else svg.prepend(element)
}

function append(source: Element, parent: SVGElement): void {
  const { localName: name } = source
  if (source.namespaceURI !== svgNamespace || !elements.has(name)) return
  const copy = document.createElementNS(svgNamespace, name)
  for (const { name: attribute, value } of source.attributes)
    if (attributes.has(attribute) && !/url\s*\(/i.test(value))
      copy.setAttribute(attribute, black.has(value) ? 'currentColor' : value)
  if (white.has(copy.getAttribute('fill') ?? '')) copy.classList.add('sheet-paper')
  identify(source, copy)
  parent.append(copy)
  for (const child of source.childNodes) {
    if (child instanceof Element) append(child, copy)
    else if (child.nodeType === Node.TEXT_NODE && (name === 'text' || name === 'tspan'))
      copy.append(child.textContent ?? '')
  }
}

function identify(source: Element, copy: SVGElement): void {
  const id = source.getAttribute('id')
  const kind = source.getAttribute('class') ?? ''
  if (kind === 'Measure') {
    copy.dataset.measure = id ?? ''
    copy.dataset.part = source.getAttribute('data-part') ?? ''
  } else if (id !== null) copy.dataset.note = id
}
