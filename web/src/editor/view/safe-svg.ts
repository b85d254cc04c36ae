import { attributes, elements, svgNamespace } from '../../score/sheet/engraved-page.ts'

/** Elements of the engraver besides those of an engraved page of the server. */
const further: ReadonlySet<string> = new Set(['svg', 'use'])

/** A line of music as nodes of this document. */
export interface Line {
  readonly svg: SVGSVGElement
  /** The uuids of its measures. */
  readonly measures: readonly string[]
}

const idOfMeasure = /^measure-([0-9a-f-]{36})$/

/**
 * Reads a line of music that the engraver has drawn. As the texts of a score come from its author, only elements and attributes of
 * engravings are taken over, and the only links are those to glyphs. Ids of notes become `data-note`, those of measures
 * `data-measure`.
 * @param glyphs keeps the glyphs of all lines once
 * @throws Error if it is no SVG
 */
export function readLine(text: string, glyphs: Glyphs): Line {
  const root = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement
  if (root.namespaceURI !== svgNamespace || root.localName !== 'svg') throw new Error('This is not an SVG.')
  for (const glyph of root.querySelectorAll(':scope > defs > g')) glyphs.add(glyph)
  const [, , width = 0, height = 0] = (root.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number)
  const svg = document.createElementNS(svgNamespace, 'svg')
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`)
  for (const child of root.children) append(child, svg)
  const measures = [...svg.querySelectorAll<SVGElement>('[data-measure]')].flatMap(
    ({ dataset }) => dataset.measure ?? [],
  )
  return { svg, measures }
}

export interface Glyphs {
  /** The element to put into the page. */
  readonly svg: SVGSVGElement
  add(glyph: Element): void
}

/** @param id the code of the glyph in its font: `E0A4` */
const glyphId = (id: string): string => `glyph-${id.replace(/^#/, '')}`

export function createGlyphs(): Glyphs {
  const svg = document.createElementNS(svgNamespace, 'svg')
  svg.classList.add('editor-glyphs')
  svg.setAttribute('aria-hidden', 'true')
  const defs = document.createElementNS(svgNamespace, 'defs')
  svg.append(defs)
  const known = new Set<string>()
  return {
    svg,
    add(glyph) {
      const id = glyphId(glyph.id)
      if (known.has(id)) return
      known.add(id)
      append(glyph, defs)
      defs.lastElementChild?.setAttribute('id', id)
    },
  }
}

function append(source: Element, parent: SVGElement): void {
  const { localName: name } = source
  if (source.namespaceURI !== svgNamespace || !(elements.has(name) || further.has(name))) return
  const copy = document.createElementNS(svgNamespace, name)
  for (const { name: attribute, value } of source.attributes)
    if ((attributes.has(attribute) || attribute === 'viewBox') && !/url\s*\(/i.test(value))
      copy.setAttribute(attribute, value)
  if (name === 'use') copy.setAttribute('href', `#${glyphId(source.getAttribute('href') ?? '')}`)
  identify(source, copy)
  parent.append(copy)
  for (const child of source.childNodes) {
    if (child instanceof Element) append(child, copy)
    else if (child.nodeType === Node.TEXT_NODE && (name === 'text' || name === 'tspan')) {
      const content = (child.textContent ?? '').replaceAll(/\s+/g, ' ')
      if (content !== ' ' || name === 'tspan') copy.append(content)
    }
  }
}

function identify(source: Element, copy: SVGElement): void {
  const [kind] = source.classList
  const measure = idOfMeasure.exec(source.id)?.[1]
  if (measure !== undefined) copy.dataset.measure = measure
  else if (/^[0-9a-f-]{73}-\d+$/.test(source.id)) copy.dataset.note = source.id
  if (kind && source.localName === 'g') copy.classList.add(`v-${kind}`)
}
